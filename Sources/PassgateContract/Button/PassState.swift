/// What PassKit says of the card's pass on one device.
public enum PassState: OpenWord {
    /// There is no pass.
    case absent
    /// The pass can be used.
    case activated
    /// The pass waits for its activation.
    case requiresActivation
    /// The pass is being activated.
    case activating
    /// The pass cannot be used for now.
    case suspended
    /// The pass cannot be used any more.
    case deactivated
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [PassState] = [
        .absent,
        .activated,
        .requiresActivation,
        .activating,
        .suspended,
        .deactivated,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .absent: "absent"
        case .activated: "activated"
        case .requiresActivation: "requires_activation"
        case .activating: "activating"
        case .suspended: "suspended"
        case .deactivated: "deactivated"
        case .other(let word): word
        }
    }
}
