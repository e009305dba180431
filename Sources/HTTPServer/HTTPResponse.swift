public import SecretMemory

/// One answer. Its body may hold a handoff: it is protected, and wiped when the last byte is written.
public struct HTTPResponse: Sendable {
    /// What became of an answer.
    public enum Delivery: Sendable, Equatable {
        /// The last byte was written to the connection.
        case written
        /// The connection was gone, or a write failed. A half-close is not departure.
        case failed
    }

    /// The status.
    public var status: Int
    /// The header fields; `Content-Length` and `Date` are added.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: SecretBytes
    /// Whether the connection is closed after it.
    public var closesConnection = false
    /// Called once, on the loop, when it is known what became of the answer.
    public var onDelivery: (@Sendable (Delivery) -> Void)?
    /// How the connection is broken instead of answering whole. For the sandbox's faults only.
    public var fault: Fault?

    /// A way to break the connection.
    public enum Fault: Sendable, Equatable {
        /// Reset without an answer.
        case reset
        /// The head and that many bytes of the body, then closed.
        case truncate(after: Int)
        /// Bytes that are not HTTP, then closed.
        case garble
    }

    /// Makes an answer of its members.
    public init(status: Int, headers: [(name: String, value: String)] = [], body: SecretBytes = SecretBytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
