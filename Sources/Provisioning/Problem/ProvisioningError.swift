/// The only failure that crosses the contract, whichever processor caused it.
///
/// It holds no upstream text and no secret: it is safe to print.
public struct ProvisioningError: Error, Sendable, Equatable {
    /// What went wrong.
    public var code: ProblemCode
    /// What is known of the effect upstream.
    public var outcome: ProvisioningOutcome
    /// A word that says why, for `card_ineligible`.
    public var reason: String?
    /// Which member of the request is at fault, as a JSON pointer.
    public var pointer: String?
    /// One plain sentence of ours about this case; nil uses the code's own.
    public var detail: String?
    /// What the processor said.
    public var upstream: UpstreamReport?
    /// How long the processor asked to wait.
    public var retryAfter: Duration?
    /// The processor's own advice on a repeat, which overrides the rule.
    public var retryAdvice: Bool?

    /// Makes an error of its members.
    public init(
        _ code: ProblemCode, outcome: ProvisioningOutcome, reason: String? = nil, pointer: String? = nil,
        detail: String? = nil, upstream: UpstreamReport? = nil, retryAfter: Duration? = nil, retryAdvice: Bool? = nil
    ) {
        self.code = code
        self.outcome = outcome
        self.reason = reason
        self.pointer = pointer
        self.detail = detail
        self.upstream = upstream
        self.retryAfter = retryAfter
        self.retryAdvice = retryAdvice
    }
}
