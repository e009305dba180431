/// A side of a migration whose open breaker turned attempts away.
///
/// They left no record, and no guard compares them: what opened the breaker, and what its probes meet, is compared already.
public struct LeftAloneSide: Sendable, Hashable {
    /// The migration that was in force.
    public var migration: String
    /// The connection that should have served.
    public var connection: String

    /// Makes one of its members.
    public init(migration: String, connection: String) {
        self.migration = migration
        self.connection = connection
    }
}
