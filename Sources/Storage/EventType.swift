public import Provisioning

/// What a normalised event tells of: a family and a word, such as `token.active`.
public enum EventType: Sendable, Hashable, CaseIterable, RawRepresentable {
    /// An attempt has come to a status.
    case provisioning(ProvisioningStatus)
    /// A token has come to a state, or was first heard of in it.
    case token(TokenStatus)
    /// A token belongs to another card.
    case tokenCardChanged
    /// One of a card's bindings was added, replaced or retired.
    case cardBindingChanged
    /// Something happened to a migration.
    case migration(MigrationEvent)

    /// Every type.
    public static var allCases: [EventType] {
        ProvisioningStatus.allCases.filter { $0 != .sending }.map(EventType.provisioning)
            + TokenStatus.allCases.map(EventType.token) + [.tokenCardChanged, .cardBindingChanged]
            + MigrationEvent.allCases.map(EventType.migration)
    }

    /// The families, each as the pattern that means all of its types.
    public static let patterns = ["provisioning.*", "token.*", "card.*", "migration.*"]

    /// The type as it is written.
    public var rawValue: String {
        switch self {
        case .provisioning(let status): "provisioning.\(status.rawValue)"
        case .token(let status): "token.\(status.rawValue)"
        case .tokenCardChanged: "token.card_changed"
        case .cardBindingChanged: "card.binding_changed"
        case .migration(let event): "migration.\(event.rawValue)"
        }
    }

    /// The type that is written so; nil where there is none.
    public init?(rawValue: String) {
        guard let type = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = type
    }
}
