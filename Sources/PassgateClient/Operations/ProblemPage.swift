/// What a code means, and what to do about it.
public struct ProblemPage: Codable, Hashable, Sendable {
    /// What to do next, by what had happened; nil where that cannot be.
    public struct Retry: Codable, Hashable, Sendable {
        /// Nothing was sent.
        public let notSent: RetryClass?
        /// It was sent, and may be sent again.
        public let sentRepeatable: RetryClass?
        /// It was sent, and its handshake is spent.
        public let sentSingleUse: RetryClass?

        enum CodingKeys: String, CodingKey {
            case notSent = "not_sent"
            case sentRepeatable = "sent_repeatable"
            case sentSingleUse = "sent_single_use"
        }
    }

    /// `problem_type`
    public let object: String
    /// The URL of this page.
    public let type: String
    /// The code.
    public let code: ProblemCode
    /// Its status.
    public let status: Int
    /// The code in words.
    public let title: String
    /// What it means.
    public let meaning: String
    /// What to do.
    public let whatToDo: String
    /// The key of a text for the cardholder.
    public let userMessageKey: String
    /// What to do next, by what had happened.
    public let retry: Retry

    enum CodingKeys: String, CodingKey {
        case object, type, code, status, title, meaning, retry
        case whatToDo = "what_to_do"
        case userMessageKey = "user_message_key"
    }
}
