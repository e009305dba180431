/// How many observations of one side there are at a stage, and how many of them succeeded.
public struct StageTally: Sendable, Equatable {
    /// How many there are.
    public var observed: Int
    /// How many of them succeeded.
    public var succeeded: Int

    /// Makes a tally of its members.
    public init(observed: Int, succeeded: Int) {
        self.observed = observed
        self.succeeded = succeeded
    }

    /// How many failed.
    public var failed: Int { observed - succeeded }

    /// The share that failed, 0 to 1; 0 where there is none.
    public var failureRate: Double { observed == 0 ? 0 : Double(failed) / Double(observed) }
}
