public import Provisioning

/// Which attempts are counted together.
public struct OverviewQuery: Sendable, Equatable {
    /// How many attempts are counted at most, the newest.
    public static let attemptLimit = 100_000
    /// How many failures are told apart by their codes at most, the newest.
    public static let failureLimit = 5_000

    /// The program.
    public var program: String
    /// Only attempts that began then or later.
    public var from: Timestamp

    /// Makes a query of its members.
    public init(program: String, from moment: Timestamp) {
        self.program = program
        from = moment
    }
}
