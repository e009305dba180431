public import PassgateContract

/// What an event tells of: a family and a word, such as `token.active`.
public enum EventType: OpenWord {
    /// An attempt has come to a status.
    case provisioning(ProvisioningStatus)
    /// A token has come to a state, or was first heard of in it.
    case token(TokenStatus)
    /// A token belongs to another card.
    case tokenCardChanged
    /// One of a card's bindings was added, replaced or retired.
    case cardBindingChanged
    /// Something happened to a migration.
    case migration(MigrationNews)
    /// A type that this build does not know.
    case other(String)

    /// Every type that this build knows.
    public static let known: [EventType] =
        ProvisioningStatus.known.filter { $0 != .sending }.map(EventType.provisioning)
        + TokenStatus.known.map(EventType.token) + [.tokenCardChanged, .cardBindingChanged]
        + MigrationNews.known.map(EventType.migration)

    /// The type as it is written.
    public var rawValue: String {
        switch self {
        case .provisioning(let status): "provisioning.\(status.rawValue)"
        case .token(let status): "token.\(status.rawValue)"
        case .tokenCardChanged: "token.card_changed"
        case .cardBindingChanged: "card.binding_changed"
        case .migration(let news): "migration.\(news.rawValue)"
        case .other(let word): word
        }
    }
}
