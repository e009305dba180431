/// A provider that can tell whether the processor takes the connection's credentials, by a question that changes
/// nothing, spends nothing and is about no card of anybody's.
///
/// `passgate doctor` asks it, and so does the check before a migration is opened.
public protocol CredentialCheck: ProvisioningProvider {
    /// What this connection would ask; nil where it has nobody to ask.
    var credentialQuestion: CredentialQuestion? { get }

    /// Asks, with as few calls as can be.
    ///
    /// - Throws: The normalized failure, where the processor refuses the credentials or gives no answer. That it knows
    /// no
    ///   card of an id that no card has is the answer that was hoped for, and no failure.
    func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError)
}

/// A question that shows whether credentials are taken.
public struct CredentialQuestion: Sendable, Equatable {
    /// What is asked, after *asks for*: `one card of the list`.
    public let words: String
    /// What the answer says nothing of, as a sentence; nil where it says all.
    public let limits: String?

    /// Makes a question of its members.
    public init(_ words: String, limits: String? = nil) {
        self.words = words
        self.limits = limits
    }
}
