public import Provisioning

/// Which figures of a migration are wanted.
public struct SwitchFiguresQuery: Sendable {
    /// The migration.
    public var migration: StoredMigration
    /// How many of each side's newest attempts are looked at for their durations.
    public var sample: Int
    /// When it is asked.
    public var at: Timestamp

    /// Makes a query of its members.
    public init(migration: StoredMigration, sample: Int, at now: Timestamp) {
        self.migration = migration
        self.sample = sample
        at = now
    }

    /// The query for what was observed of a side.
    func side(_ connection: String) -> SideQuery {
        SideQuery(
            program: migration.program, connection: connection, migration: migration.id, from: migration.createdAt,
            at: at)
    }
}

/// What is known of a migration's course.
public struct SwitchFigures: Sendable, Equatable {
    /// The side that is left.
    public var from: SideFigures
    /// The side that takes over.
    public var to: SideFigures
    /// How many tokens of the program's cards still live at `from`.
    public var tokensAtFrom: Int
    /// What a shadow found, and how often.
    public var findings: [ShadowFinding: Int]
    /// Attempts whose app build did not know the routed side's handoff.
    public var appCannot: AppCannotCount
    /// How far the guard has come; nil where it has not looked yet.
    public var watch: GuardWatch?

    /// Makes figures of their members.
    public init(
        from: SideFigures, to: SideFigures, tokensAtFrom: Int, findings: [ShadowFinding: Int],
        appCannot: AppCannotCount, watch: GuardWatch?
    ) {
        self.from = from
        self.to = to
        self.tokensAtFrom = tokensAtFrom
        self.findings = findings
        self.appCannot = appCannot
        self.watch = watch
    }
}

/// What is known of one side, of the attempts that were made under the migration.
public struct SideFigures: Sendable, Equatable {
    /// What was observed.
    public var tally: SideTally
    /// How many attempts its open breaker turned away, without a record.
    public var leftAlone: Int
    /// How often attempts ended in each problem that was not their caller's doing.
    public var codes: [ProblemCode: Int]
    /// How long its newest attempts took.
    public var durations: [AttemptDuration]

    /// Makes figures of their members.
    public init(tally: SideTally, leftAlone: Int, codes: [ProblemCode: Int], durations: [AttemptDuration]) {
        self.tally = tally
        self.leftAlone = leftAlone
        self.codes = codes
        self.durations = durations
    }
}

/// How long an attempt took, by its timeline.
public struct AttemptDuration: Sendable, Equatable {
    /// Milliseconds from the request to the end of the answer, without those in which the processor was waited for.
    public var gateway: Int64
    /// Milliseconds in which the processor was waited for, in all calls.
    public var provider: Int64

    /// Makes a duration of its members.
    public init(gateway: Int64, provider: Int64) {
        self.gateway = gateway
        self.provider = provider
    }

    /// What a timeline tells; nil where it has no whole call.
    init?(_ timeline: [TimelineStep]) {
        let ends: Set = ["handed_off", "undelivered", "refused", "unknown"]
        guard let received = timeline.first(where: { $0.step == "received" })?.at,
            let end = timeline.first(where: { ends.contains($0.step) && $0.source == "gateway" })?.at
        else { return nil }
        var (waited, sent): (Int64, Timestamp?) = (0, nil)
        var calls = 0
        for step in timeline {
            switch step.step {
            case "sent": sent = step.at
            case "answered", "no_answer":
                guard let began = sent else { continue }
                waited += step.at.milliseconds - began.milliseconds
                calls += 1
                sent = nil
            default: break
            }
        }
        guard calls > 0 else { return nil }
        self.init(gateway: max(end.milliseconds - received.milliseconds - waited, 0), provider: max(waited, 0))
    }
}
