public import PassgateContract

/// What is known about the effect of a failed provisioning at the processor.
public enum ProblemOutcome: OpenWord {
    /// Nothing was sent.
    case notSent
    /// The processor answered that it did not do it.
    case refused
    /// It may or may not have happened.
    case unknown
    /// It had already happened.
    case applied
    /// A word that this build does not know.
    case other(String)

    /// Every word that this build knows.
    public static let known: [ProblemOutcome] = [
        .notSent,
        .refused,
        .unknown,
        .applied,
    ]

    /// The word as it is written.
    public var rawValue: String {
        switch self {
        case .notSent: "not_sent"
        case .refused: "refused"
        case .unknown: "unknown"
        case .applied: "applied"
        case .other(let word): word
        }
    }
}
