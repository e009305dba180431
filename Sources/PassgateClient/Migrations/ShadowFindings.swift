public import PassgateContract

/// What a shadow found.
public struct ShadowFindings: Codable, Hashable, Sendable {
    /// How both sides' answers compare.
    public struct Findings: Codable, Hashable, Sendable {
        /// The wallet.
        public let wallet: Wallet
        /// Both say the same.
        public let agrees: Int
        /// The old side says yes, the new one no.
        public let eligibleAtFromOnly: Int
        /// The new side says yes, the old one no.
        public let eligibleAtToOnly: Int
        /// Both say no, for different reasons.
        public let reasonDiffers: Int
        /// The app would need another handoff.
        public let handoffChanges: Int
        /// The new side gave no answer.
        public let noAnswerAtTo: Int
        /// The old side gave no answer.
        public let noAnswerAtFrom: Int
        /// The card has no binding at the new side.
        public let withoutBinding: Int
        /// The new side was not asked: other calls came first.
        public let dropped: Int

        enum CodingKeys: String, CodingKey {
            case wallet, agrees, dropped
            case eligibleAtFromOnly = "eligible_at_from_only"
            case eligibleAtToOnly = "eligible_at_to_only"
            case reasonDiffers = "reason_differs"
            case handoffChanges = "handoff_changes"
            case noAnswerAtTo = "no_answer_at_to"
            case noAnswerAtFrom = "no_answer_at_from"
            case withoutBinding = "without_binding"
        }
    }

    /// Why the new side's word proves nothing, where it does not.
    public let provesNothing: String?
    /// The same in a sentence.
    public let detail: String?
    /// For each wallet that was asked about.
    public let wallets: [Findings]

    enum CodingKeys: String, CodingKey {
        case detail, wallets
        case provesNothing = "proves_nothing"
    }
}
