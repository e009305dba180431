public import Foundation

/// Who asks for a provisioning, and how the platform made sure of it.
public struct CardholderProof: Codable, Hashable, Sendable {
    /// An authentication of the platform's.
    public struct Authentication: Codable, Hashable, Sendable {
        /// How, as a word, such as `passkey`.
        public var method: String
        /// When.
        public var authenticatedAt: Moment

        /// Makes it of its members.
        public init(method: String, authenticatedAt: Moment) {
            self.method = method
            self.authenticatedAt = authenticatedAt
        }

        enum CodingKeys: String, CodingKey {
            case method
            case authenticatedAt = "authenticated_at"
        }
    }

    /// The cardholder's id: the card's own, or the card is as good as unknown.
    public var id: String
    /// How the platform authenticated them.
    public var authentication: Authentication?

    /// Makes it of its members.
    public init(id: String, authentication: Authentication? = nil) {
        self.id = id
        self.authentication = authentication
    }
}

extension CardholderProof {
    /// A cardholder whom the platform authenticated at that time.
    public init(id: String, authenticatedBy method: String, at time: Date) {
        self.init(id: id, authentication: Authentication(method: method, authenticatedAt: Moment(time)))
    }
}
