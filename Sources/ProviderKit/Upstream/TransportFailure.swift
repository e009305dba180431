/// Why an exchange has no answer.
public enum TransportFailure: Error, Sendable, Equatable {
    /// What happened, as a word for logs and tests.
    public enum Cause: String, Sendable {
        /// The name did not resolve.
        case unresolved
        /// No connection could be made.
        case unreachable
        /// The name led to an address that may not be connected to.
        case forbiddenAddress = "forbidden_address"
        /// The TLS handshake or the certificate check failed.
        case tls
        /// The connection broke.
        case broken
        /// The deadline passed.
        case deadline
        /// The task was cancelled.
        case cancelled
        /// The request could not be made: a malformed URL, a forbidden protocol.
        case invalidRequest = "invalid_request"
        /// What came back was not HTTP.
        case garbled
    }

    /// No byte of the body was handed to a connection.
    case notSent(Cause)
    /// The body left, whole or in part, and no whole answer came.
    case outcomeUnknown(Cause)

    /// What happened.
    public var cause: Cause {
        switch self {
        case .notSent(let cause), .outcomeUnknown(let cause): cause
        }
    }
}
