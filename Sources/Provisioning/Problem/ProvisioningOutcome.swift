/// What is known about the effect of a failed call upstream.
public enum ProvisioningOutcome: String, Sendable, CaseIterable {
    /// No byte of the body left.
    case notSent = "not_sent"
    /// The processor answered that it did not do it.
    case refused
    /// It may or may not have happened.
    case unknown
    /// It had already happened.
    case applied
}
