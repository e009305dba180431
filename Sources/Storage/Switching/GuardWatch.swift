public import Provisioning

/// A wish for migrations whose guards are due for a look.
public struct GuardClaim: Sendable {
    /// The moment.
    public var now: Timestamp
    /// The instance that will look.
    public var holder: String
    /// Until when no other instance looks.
    public var leaseUntil: Timestamp
    /// How many migrations at most.
    public var limit: Int

    /// Makes a claim of its members.
    public init(now: Timestamp, holder: String, leaseUntil: Timestamp, limit: Int) {
        self.now = now
        self.holder = holder
        self.leaseUntil = leaseUntil
        self.limit = limit
    }
}

/// How far the guard of a migration has come.
public struct GuardWatch: Sendable, Equatable {
    /// How often it looks.
    public static let intervalMilliseconds: Int64 = 300_000

    /// The migration.
    public var migration: StoredMigration
    /// Which run of looks it is, from 1: a guard that stopped its migration begins anew once that is resumed.
    public var round: Int
    /// From when on attempts count: when the migration was opened, or resumed after its guard stopped it.
    public var beganAt: Timestamp
    /// When it looked last, whether or not the look counted.
    public var lookedAt: Timestamp?
    /// When it stopped the migration.
    public var stoppedAt: Timestamp?
    /// When it looks next.
    public var dueAt: Timestamp
    /// The looks of this round that counted, of each stage in order.
    public var looks: [GuardLook]

    /// Makes a watch that has just begun.
    public init(migration: StoredMigration, round: Int = 1, beganAt: Timestamp, dueAt: Timestamp) {
        self.migration = migration
        self.round = round
        self.beganAt = beganAt
        self.dueAt = dueAt
        looks = []
    }

    /// When it looks next after a look at that moment: looks are a fixed grid, and what was missed is not made up for.
    public func dueAt(after moment: Timestamp) -> Timestamp {
        let passed = moment.milliseconds - beganAt.milliseconds
        let steps = max(passed / Self.intervalMilliseconds, 0) + 1
        return beganAt.adding(milliseconds: steps * Self.intervalMilliseconds)
    }
}

/// How a look of a guard ended.
public struct GuardEnd: Sendable {
    /// What was looked at, as it was claimed.
    public var watch: GuardWatch
    /// The instance that claimed it. If another has it by now, nothing changes.
    public var holder: String
    /// The moment.
    public var at: Timestamp
    /// The looks that counted.
    public var looks: [GuardLook]

    /// Makes an end of its members.
    public init(watch: GuardWatch, holder: String, at moment: Timestamp, looks: [GuardLook]) {
        self.watch = watch
        self.holder = holder
        at = moment
        self.looks = looks
    }
}
