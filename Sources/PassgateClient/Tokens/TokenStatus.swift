public import PassgateContract

/// What a token can do.
public enum TokenStatus: OpenWord {
    /// Asked for, not yet usable.
    case requested
    /// The cardholder must be verified first.
    case verificationRequired
    /// Usable.
    case active
    /// Not usable for now.
    case suspended
    /// Gone for good.
    case deleted
    /// Refused for good.
    case declined
    /// The processor used a word that the gateway does not know.
    case unknown
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [TokenStatus] = [
        .requested,
        .verificationRequired,
        .active,
        .suspended,
        .deleted,
        .declined,
        .unknown,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .requested: "requested"
        case .verificationRequired: "verification_required"
        case .active: "active"
        case .suspended: "suspended"
        case .deleted: "deleted"
        case .declined: "declined"
        case .unknown: "unknown"
        case .other(let word): word
        }
    }
}
