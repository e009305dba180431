/// What a processor's body says went wrong, in the processor's words.
public struct UpstreamFault: Sendable, Equatable {
    /// The processor's own code, to be reported.
    public var code: String?
    /// What to look up in the table, the most precise first. Often the code alone.
    public var words: [String]
    /// How long the body asks to wait.
    public var retryAfter: Duration?
    /// The processor's request id, where the body has it. It counts before that of a header.
    public var requestID: String?

    /// Makes a fault of its members; without words, the code is looked up.
    public init(code: String? = nil, words: [String]? = nil, retryAfter: Duration? = nil, requestID: String? = nil) {
        self.code = code
        self.words = words ?? code.map { [$0] } ?? []
        self.retryAfter = retryAfter
        self.requestID = requestID
    }
}
