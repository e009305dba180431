/// A step of an attempt.
public struct TimelineStep: Codable, Hashable, Sendable {
    /// When.
    public let at: Moment
    /// What, as a word.
    public let step: String
    /// Who said so: `device`, `gateway`, `provider` or `webhook`.
    public let source: String
    /// The code that came with it.
    public let code: String?
    /// A sentence.
    public let detail: String?
}
