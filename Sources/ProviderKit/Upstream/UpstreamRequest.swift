public import SecretMemory

/// One request to a processor.
public struct UpstreamRequest: Sendable {
    /// The HTTP methods that processors' APIs use.
    public enum Method: String, Sendable {
        /// Reads.
        case get = "GET"
        /// Creates or acts.
        case post = "POST"
        /// Replaces. No processor needs it yet; the laboratory's calls to the gateway do.
        case put = "PUT"
        /// Changes.
        case patch = "PATCH"
        /// Removes.
        case delete = "DELETE"
    }

    /// A header field. Its value may be a credential, so it is never shown.
    public struct Header: Sendable, Equatable {
        /// The field's name.
        public let name: String
        /// The field's value.
        public let value: SecretText

        /// Makes a field of name and value.
        public init(_ name: String, _ value: String) { self.init(name, SecretText(value)) }

        /// Makes a field of name and secret value.
        public init(_ name: String, _ value: SecretText) {
            self.name = name
            self.value = value
        }
    }

    /// The method.
    public var method: Method
    /// The absolute URL. Whatever was put into its path has matched a pattern and is percent-encoded.
    public var url: String
    /// The header fields, each sent once and in this order.
    public var headers: [Header]
    /// The body; nil sends none.
    public var body: SecretBytes?
    /// When the answer is no longer wanted.
    public var deadline: ContinuousClock.Instant
    /// How many bytes of body an answer may have: 256 KiB unless told.
    public var answerLimit = 262_144

    /// Makes a request of its members.
    public init(
        _ method: Method, _ url: String, headers: [Header] = [], body: SecretBytes? = nil,
        deadline: ContinuousClock.Instant
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.deadline = deadline
    }
}
