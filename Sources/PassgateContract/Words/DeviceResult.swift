/// What became of an attempt on the device.
public enum DeviceResult: OpenWord {
    /// The card is in the wallet.
    case added
    /// The cardholder cancelled.
    case cancelled
    /// It failed.
    case failed
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [DeviceResult] = [
        .added,
        .cancelled,
        .failed,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .added: "added"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .other(let word): word
        }
    }
}
