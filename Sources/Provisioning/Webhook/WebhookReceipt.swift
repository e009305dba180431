/// What is known of a verified delivery at once, without a call.
public struct WebhookReceipt: Sendable, Equatable {
    /// What is done with a delivery.
    public enum Use: Sendable, CaseIterable {
        /// It is kept and read.
        case read
        /// It is of a kind that the gateway has no use for: it is kept, and not read.
        case keep
        /// It is of a form that is not for this endpoint: it is forgotten.
        case ignore
    }

    /// What tells this event from every other of the connection: the processor's id of it, or a digest of its content.
    public var key: String
    /// The processor's word for what happened.
    public var word: String?
    /// What is done with it.
    public var use: Use

    /// Makes a receipt of its members.
    public init(key: String, word: String?, use: Use) {
        self.key = key
        self.word = word
        self.use = use
    }
}
