/// What a verified webhook's body tells by itself, without a call.
public struct WebhookOutline: Sendable, Equatable {
    /// What it is about, as the processor names it: two about the same are read in the order in which they came. Nil where
    /// the body does not say.
    public var subject: String?
    /// Whether the processor is called to read it, and so the limits of its calls count.
    public var takesCall: Bool

    /// Makes an outline of its members.
    public init(subject: String? = nil, takesCall: Bool = true) {
        self.subject = subject
        self.takesCall = takesCall
    }
}
