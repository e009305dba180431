public import Provisioning

/// A wish for attempts that are due to be followed up.
public struct FollowUpClaim: Sendable {
    /// The moment.
    public var now: Timestamp
    /// The instance that will follow them up.
    public var holder: String
    /// Until when no other instance follows up anything of the same cards.
    public var leaseUntil: Timestamp
    /// How many attempts at most.
    public var limit: Int

    /// Makes a claim of its members.
    public init(now: Timestamp, holder: String, leaseUntil: Timestamp, limit: Int) {
        self.now = now
        self.holder = holder
        self.leaseUntil = leaseUntil
        self.limit = limit
    }
}

/// How the follow-up of one attempt ended.
public struct FollowUpEnd: Sendable {
    /// The attempt.
    public var id: String
    /// Its program.
    public var program: String
    /// The instance that claimed it. If another has it by now, nothing changes.
    public var holder: String
    /// The moment.
    public var at: Timestamp
    /// When it is due again; nil where nothing more is awaited.
    public var nextAt: Timestamp?
    /// What to note, unless the note before says the same.
    public var step: TimelineStep?
    /// Whether the day is over: an attempt of which nothing was heard is abandoned.
    public var isDayOver: Bool
    /// Whether it counts as a follow-up: one that could not be made does not.
    public var counts: Bool

    /// Makes an end of its members.
    public init(
        id: String, program: String, holder: String, at: Timestamp, nextAt: Timestamp?, step: TimelineStep?,
        isDayOver: Bool, counts: Bool
    ) {
        self.id = id
        self.program = program
        self.holder = holder
        self.at = at
        self.nextAt = nextAt
        self.step = step
        self.isDayOver = isDayOver
        self.counts = counts
    }
}
