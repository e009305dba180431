/// How far an attempt has come.
public enum ProvisioningStatus: String, Sendable, CaseIterable {
    /// Reserved; the processor is being asked.
    case sending
    /// The processor said no, or nothing was sent.
    case refused
    /// It may or may not have happened.
    case unknown
    /// The handoff came, and the caller had gone.
    case undelivered
    /// The last byte of the answer was written.
    case handedOff = "handed_off"
    /// The device says so; no token seen.
    case added
    /// The network has a token, not yet active.
    case requested
    /// The cardholder must be verified.
    case verificationRequired = "verification_required"
    /// The token is active.
    case active
    /// The network or the processor declined the token.
    case declined
    /// The device says that it failed.
    case failed
    /// The cardholder cancelled on the device.
    case cancelled
    /// A day without a word.
    case abandoned
}
