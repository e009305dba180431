public import Provisioning

/// What a shadow migration found when it asked the new side whether a card can be added, beside the old one.
public struct ShadowFinding: Sendable, Hashable {
    /// What it was.
    public enum Kind: String, Sendable, CaseIterable {
        /// Both sides say the same.
        case agrees
        /// The old side says yes, the new one no.
        case eligibleAtFromOnly = "eligible_at_from_only"
        /// The new side says yes, the old one no.
        case eligibleAtToOnly = "eligible_at_to_only"
        /// Both say no, for different reasons.
        case reasonDiffers = "reason_differs"
        /// The app would need another handoff: counted besides what the sides say.
        case handoffChanges = "handoff_changes"
        /// The new side gave no answer.
        case noAnswerAtTo = "no_answer_at_to"
        /// The old side gave no answer, and the new one did.
        case noAnswerAtFrom = "no_answer_at_from"
        /// The card has no binding at the new side.
        case withoutBinding = "without_binding"
        /// The new side was not asked: other calls came first.
        case dropped
    }

    /// The migration.
    public var migration: String
    /// The wallet.
    public var wallet: Wallet
    /// What it was.
    public var kind: Kind

    /// Makes a finding of its members.
    public init(migration: String, wallet: Wallet, kind: Kind) {
        self.migration = migration
        self.wallet = wallet
        self.kind = kind
    }
}
