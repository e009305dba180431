public import PassgateContract

/// How far an attempt has come.
public enum ProvisioningStatus: OpenWord {
    /// The processor is being asked.
    case sending
    /// The processor said no, or nothing was sent.
    case refused
    /// It may or may not have happened.
    case unknown
    /// The handoff came, and the caller had gone.
    case undelivered
    /// The answer was written.
    case handedOff
    /// The device says that the card is in the wallet; no token was seen.
    case added
    /// The network has a token, not yet active.
    case requested
    /// The cardholder must be verified.
    case verificationRequired
    /// The token is active.
    case active
    /// The network or the processor declined the token.
    case declined
    /// The device says that it failed.
    case failed
    /// The cardholder cancelled on the device.
    case cancelled
    /// A day passed without a word.
    case abandoned
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [ProvisioningStatus] = [
        .sending,
        .refused,
        .unknown,
        .undelivered,
        .handedOff,
        .added,
        .requested,
        .verificationRequired,
        .active,
        .declined,
        .failed,
        .cancelled,
        .abandoned,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .sending: "sending"
        case .refused: "refused"
        case .unknown: "unknown"
        case .undelivered: "undelivered"
        case .handedOff: "handed_off"
        case .added: "added"
        case .requested: "requested"
        case .verificationRequired: "verification_required"
        case .active: "active"
        case .declined: "declined"
        case .failed: "failed"
        case .cancelled: "cancelled"
        case .abandoned: "abandoned"
        case .other(let word): word
        }
    }
}
