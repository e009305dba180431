/// What can happen to an attempt after it was reserved.
public enum StatusEvent: String, Sendable, CaseIterable {
    /// The processor said no, or nothing was sent.
    case refused
    /// It was sent, and no answer came.
    case unknown
    /// The handoff came, and the caller had gone.
    case undelivered
    /// The last byte of the answer was written.
    case handedOff
    /// The device says that the card was added.
    case deviceAdded
    /// The device says that it failed.
    case deviceFailed
    /// The device says that the cardholder cancelled.
    case deviceCancelled
    /// The processor has a token that is not yet usable.
    case tokenRequested
    /// The processor has a token that waits for the cardholder to be verified.
    case tokenVerificationRequired
    /// The processor has a usable token.
    case tokenActive
    /// The processor or the network refused the token.
    case tokenDeclined
    /// A day passed without a word.
    case dayPassed
}
