/// What a network token can do: one vocabulary for every processor.
public enum TokenStatus: String, Sendable, CaseIterable {
    /// Asked for, not yet usable.
    case requested
    /// The cardholder must be verified first.
    case verificationRequired = "verification_required"
    /// Usable.
    case active
    /// Not usable for now.
    case suspended
    /// Gone for good.
    case deleted
    /// Refused for good.
    case declined
    /// The processor used a word that nobody here knows.
    case unknown

    /// Whether nothing comes after it.
    public var isFinal: Bool { self == .deleted || self == .declined }
}
