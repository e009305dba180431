public import Provisioning

/// Decides which attempt a token comes from: the attribution rule, and nothing else.
public enum TokenAttribution {
    /// An attempt of the token's card at the token's connection, as far as the rule looks at it.
    public struct Candidate: Sendable, Equatable {
        /// What an attempt has come to, as far as the rule tells apart.
        public enum Standing: Sendable, CaseIterable {
            /// It is still being sent: nobody knows yet.
            case open
            /// Its handoff was delivered, whatever came after.
            case delivered
            /// It may or may not have happened.
            case unknown
            /// None of these: refused, undelivered, or settled without a delivery.
            case other
        }

        /// The attempt's id.
        public let id: String
        /// The wallet.
        public let wallet: Wallet
        /// When it was sent, at the earliest.
        public let sentAt: Timestamp
        /// What it has come to.
        public let standing: Standing

        /// Makes a candidate of its members.
        public init(id: String, wallet: Wallet, sentAt: Timestamp, standing: Standing) {
            self.id = id
            self.wallet = wallet
            self.sentAt = sentAt
            self.standing = standing
        }
    }

    /// What the rule says of a token.
    public enum Verdict: Sendable, Equatable {
        /// It comes from this attempt.
        case attempt(String)
        /// It may come from each of these, so it is given to none.
        case ambiguous([String])
        /// An attempt that it may come from is still being sent: ask again.
        case tooEarly
        /// It comes from none of them.
        case none
    }

    /// How long after an attempt a token may still come from it.
    public static let windowMilliseconds: Int64 = 24 * 3600 * 1000

    /// Which of the attempts the token comes from.
    ///
    /// Candidates are those whose sending, cut to the processor's precision, is no later than the token and no more than
    /// a day before it. The newest whose handoff was delivered gets it; if none was, the only unknown one.
    public static func verdict(on token: TokenSighting, among attempts: [Candidate]) -> Verdict {
        guard let wallet = token.wallet, let createdAt = token.createdAt else { return .none }
        let candidates = attempts.filter { attempt in
            attempt.wallet == wallet
                && token.cut(attempt.sentAt) <= createdAt
                && createdAt <= attempt.sentAt.adding(milliseconds: windowMilliseconds)
        }
        if candidates.contains(where: { $0.standing == .open }) { return .tooEarly }
        let delivered = candidates.filter { $0.standing == .delivered }
        if let newest = delivered.max(by: { ($0.sentAt, $0.id) < ($1.sentAt, $1.id) }) { return .attempt(newest.id) }
        let unknown = candidates.filter { $0.standing == .unknown }.map(\.id)
        switch unknown.count {
        case 0: return .none
        case 1: return .attempt(unknown[0])
        default: return .ambiguous(unknown.sorted())
        }
    }
}
