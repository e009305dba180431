public import SecretMemory

/// One answer of an emulator, with what the sandbox shall do to it on the way.
public struct EmulatedResponse: Sendable {
    /// How the connection is broken instead of answering whole.
    public enum Break: Sendable, Equatable {
        /// Reset, without a byte of an answer.
        case reset
        /// The head and that many bytes of the body, then closed.
        case truncate(after: Int)
        /// Bytes that are not HTTP, then closed.
        case garble
    }

    /// The status.
    public var status: Int
    /// The header fields.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: SecretBytes
    /// How long the answer is held back.
    public var delay: Duration?
    /// How the connection is broken.
    public var breaks: Break?

    /// Makes an answer of its members.
    public init(
        status: Int, headers: [(name: String, value: String)] = [], body: SecretBytes = SecretBytes([]),
        delay: Duration? = nil, breaks: Break? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.delay = delay
        self.breaks = breaks
    }

    /// An answer in JSON.
    public static func json(_ status: Int, _ body: SecretBytes) -> EmulatedResponse {
        EmulatedResponse(status: status, headers: [("content-type", "application/json")], body: body)
    }

    /// An answer in HTML, as a proxy in front of a processor gives it.
    public static func html(_ status: Int, _ body: String) -> EmulatedResponse {
        EmulatedResponse(
            status: status, headers: [("content-type", "text/html; charset=utf-8")], body: SecretBytes(utf8: body))
    }
}
