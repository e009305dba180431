/// A problem as the gateway tells it (RFC 9457). It holds no secret.
public struct PassgateProblem: Codable, Hashable, Sendable {
    /// A member of the request that is not as it should be.
    public struct MemberProblem: Codable, Hashable, Sendable {
        /// The member, as a JSON pointer.
        public let pointer: String
        /// What is wrong, as a word.
        public let code: String
        /// What is wrong, in a sentence's rest.
        public let detail: String
    }

    /// What the processor said.
    public struct ProviderReport: Codable, Hashable, Sendable {
        /// The processor.
        public let id: String
        /// The connection.
        public let connection: String
        /// Its status.
        public let status: Int?
        /// Its code.
        public let code: String?
        /// Its id of the request, for its support.
        public let requestID: String?

        enum CodingKeys: String, CodingKey {
            case id, connection, status, code
            case requestID = "request_id"
        }
    }

    /// A URL with a page about the code.
    public let type: String
    /// The code in words.
    public let title: String
    /// The answer's status.
    public let status: Int
    /// What happened, in a sentence for developers.
    public let detail: String
    /// The stable code.
    public let code: ProblemCode
    /// What to do next.
    public let retry: RetryClass
    /// How many seconds to wait first, where the gateway says so.
    public let retryAfter: Int?
    /// What is known of the effect at the processor; nil outside provisioning.
    public let outcome: ProblemOutcome?
    /// The key of a text for the cardholder.
    public let userMessageKey: String?
    /// The gateway's id of the request.
    public let requestID: String
    /// Why a card is not eligible, as a word.
    public let reason: String?
    /// The attempt's record, where there is one.
    public let provisioning: String?
    /// The members at fault.
    public let errors: [MemberProblem]?
    /// What the processor said, where it was asked.
    public let provider: ProviderReport?

    enum CodingKeys: String, CodingKey {
        case type, title, status, detail, code, retry, outcome, reason, provisioning, errors, provider
        case retryAfter = "retry_after"
        case userMessageKey = "user_message_key"
        case requestID = "request_id"
    }
}
