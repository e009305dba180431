/// What it takes to bring a store's schema to the version that this program knows.
public struct SchemaPlan: Sendable, Equatable {
    /// A step from one version to the next.
    public struct Step: Sendable, Equatable {
        /// The version that it makes.
        public let version: Int
        /// What it brings.
        public let summary: String
    }

    /// The version that was found; 0 of a store that is not there yet.
    public let found: Int
    /// The steps, in order; none where nothing is to be done.
    public let steps: [Step]

    /// The version that this program knows.
    public static var known: Int { summaries.count }

    /// - Parameter found: The version that was found.
    init(found: Int) {
        self.found = found
        steps = Self.summaries.enumerated().dropFirst(found).map { Step(version: $0.offset + 1, summary: $0.element) }
    }

    /// What each version brings, the first of them first. Every kind of store has the same versions.
    private static let summaries = [
        "cards, attempts, spent handshakes, idempotency, the audit trail",
        "what becomes of attempts: tokens, device reports, follow-ups",
        "tokens, webhooks that came, events",
        "event destinations and their deliveries",
        "migrations between connections",
        "observations of both sides, guards, shadows",
        "imports that are under way",
        "API keys that a command made",
        "sides that are left alone, tokens that never become active, keys of calls without an end",
    ]
}
