/// How many connections there are, and how long things may take.
public struct PoolSettings: Sendable {
    /// How many connections are open at once.
    public var connections = 16
    /// How many callers may wait for one.
    public var waiters = 4096
    /// How long a caller waits for a connection.
    public var patience: Duration = .seconds(2)
    /// How long a connection may take to be made.
    public var connectTimeout: Duration = .seconds(5)
    /// How long the server works on a statement before it gives up.
    public var statementTimeout: Duration = .seconds(5)
    /// How long an answer is waited for before the connection is given up.
    public var answerTimeout: Duration = .seconds(8)
    /// For how long work that a broken connection or another transaction undid is tried anew.
    public var retryTime: Duration = .seconds(3)
    /// How long the pool waits after the first connection that failed; twice as long after each further one.
    public var firstPause: Duration = .milliseconds(50)
    /// How long it waits at most.
    public var longestPause: Duration = .seconds(2)

    /// The stated defaults.
    public init() {}
}
