public import Provisioning

/// Which observations of a side are wanted.
public struct SideQuery: Sendable, Equatable {
    /// The program.
    public var program: String
    /// The connection that served.
    public var connection: String
    /// Only attempts of this migration; nil for all, whatever migration was in force.
    public var migration: String?
    /// Only attempts in this hour, that this moment is in, and later ones.
    public var from: Timestamp
    /// When it is asked: a card that came into the wallet in an hour that is a day old by then, and of whose token nobody
    /// has said that it is active, counts as not active.
    public var at: Timestamp

    /// Makes a query of its members.
    public init(
        program: String, connection: String, migration: String? = nil, from moment: Timestamp, at now: Timestamp
    ) {
        self.program = program
        self.connection = connection
        self.migration = migration
        from = moment
        at = now
    }
}

/// What was observed of one side of a migration: one observation for each card, wallet and hour.
public struct SideTally: Sendable, Equatable {
    /// How many attempts have ended, whatever they say.
    public var attempts: Int
    /// How many of them gave their caller a handoff.
    public var handedOff: Int
    /// Handed off, of all observations that say something.
    public var handoff: StageTally
    /// An active token, of the observations with a handoff of which it is known: a day without the word says no.
    public var activation: StageTally
    /// In the wallet, by the device's or the processor's word, of the observations with a handoff of which it is known.
    public var addition: StageTally

    /// Makes a tally of its members.
    public init(attempts: Int, handedOff: Int, handoff: StageTally, activation: StageTally, addition: StageTally) {
        self.attempts = attempts
        self.handedOff = handedOff
        self.handoff = handoff
        self.activation = activation
        self.addition = addition
    }
}
