public import PassgateContract

/// How far a delivery has come.
public enum DeliveryStatus: OpenWord {
    /// It is tried, now or later.
    case pending
    /// The destination has it.
    case delivered
    /// It is tried no more.
    case dead
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [DeliveryStatus] = [
        .pending,
        .delivered,
        .dead,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .pending: "pending"
        case .delivered: "delivered"
        case .dead: "dead"
        case .other(let word): word
        }
    }
}
