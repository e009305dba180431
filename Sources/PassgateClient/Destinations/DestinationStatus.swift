public import PassgateContract

/// Whether events are sent to a destination.
public enum DestinationStatus: OpenWord {
    /// They are.
    case enabled
    /// It said that it wants no more.
    case disabled
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [DestinationStatus] = [
        .enabled,
        .disabled,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .enabled: "enabled"
        case .disabled: "disabled"
        case .other(let word): word
        }
    }
}
