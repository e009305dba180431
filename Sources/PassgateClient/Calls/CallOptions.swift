/// What one call is sent with beside its members.
public struct CallOptions: Sendable {
    /// The program, for API keys that have several; nil is the client's.
    public var program: String?
    /// The idempotency key of a POST; nil makes one. Give one of your own, such as the id of the app's request, where
    /// another process may have to send the same again.
    public var idempotencyKey: String?
    /// How long the whole call may take, repeats included. A provisioning also tells the gateway what is left of it, as
    /// `Passgate-Deadline`. Nil is the client's.
    public var deadline: Duration?
    /// The W3C trace context, `00-…`, to be passed on.
    public var traceparent: String?
    /// What is tried again; nil is the client's policy.
    public var retryPolicy: RetryPolicy?

    /// Makes options of its members.
    public init(
        program: String? = nil, idempotencyKey: String? = nil, deadline: Duration? = nil, traceparent: String? = nil,
        retryPolicy: RetryPolicy? = nil
    ) {
        self.program = program
        self.idempotencyKey = idempotencyKey
        self.deadline = deadline
        self.traceparent = traceparent
        self.retryPolicy = retryPolicy
    }

    /// Nothing but the client's own.
    public static let standard = CallOptions()
}
