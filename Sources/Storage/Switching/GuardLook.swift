public import Provisioning

/// A step on the way of an attempt, at which two sides are compared.
public enum SwitchStage: String, Sendable, CaseIterable {
    /// The app got its handoff: of all attempts.
    case handoff
    /// The card came into the wallet: of the attempts with a handoff.
    case activation
}

/// One time that a guard compared the two sides of a migration at a stage.
public struct GuardLook: Sendable, Equatable {
    /// The stage.
    public var stage: SwitchStage
    /// Its place among the stage's looks, from 1.
    public var number: Int
    /// When.
    public var at: Timestamp
    /// What was seen of the side that is left.
    public var from: StageTally
    /// What was seen of the side that takes over.
    public var to: StageTally
    /// How probable so many failures at `to`, or more, are where both sides fail alike.
    public var pValue: Double
    /// The probability below which this look trips the guard.
    public var level: Double
    /// Whether it tripped the guard.
    public var isTripped: Bool

    /// Makes a look of its members.
    public init(
        stage: SwitchStage, number: Int, at moment: Timestamp, from: StageTally, to: StageTally, pValue: Double,
        level: Double, isTripped: Bool
    ) {
        self.stage = stage
        self.number = number
        at = moment
        self.from = from
        self.to = to
        self.pValue = pValue
        self.level = level
        self.isTripped = isTripped
    }

    /// By how many standard errors `to` fails more often than `from`, with a pooled rate: for people, not for the decision.
    public var score: Double {
        guard from.observed > 0, to.observed > 0 else { return 0 }
        let pooled = Double(from.failed + to.failed) / Double(from.observed + to.observed)
        let variance = pooled * (1 - pooled) * (1 / Double(from.observed) + 1 / Double(to.observed))
        return variance > 0 ? (to.failureRate - from.failureRate) / variance.squareRoot() : 0
    }
}
