import Provisioning

/// When a delivery that could not be read is tried again: soon at first, then ever more rarely, for a day. What its
/// processor does not know is asked for for a quarter of an hour: one of its servers may be behind another, but not long.
struct InboundSchedule: Sendable {
    private static let dayMilliseconds: Int64 = 24 * 3600 * 1000
    private static let longestMilliseconds: Int64 = 15 * 60 * 1000
    private static let lagMilliseconds: Int64 = 15 * 60 * 1000

    /// When it came.
    let receivedAt: Timestamp

    /// When it is read again after so many tries in vain; nil where it is given up.
    func next(after tries: Int, at now: Timestamp) -> Timestamp? {
        if now >= receivedAt.adding(milliseconds: Self.dayMilliseconds) { return nil }
        return now.adding(milliseconds: min(1000 << Int64(min(tries, 20)), Self.longestMilliseconds))
    }

    /// When it is read again where its processor does not know what it names: for the last time when the quarter of an
    /// hour is over; nil where it is over.
    func next(afterNotFound tries: Int, at now: Timestamp) -> Timestamp? {
        let end = receivedAt.adding(milliseconds: Self.lagMilliseconds)
        if now >= end { return nil }
        return next(after: tries, at: now).map { min($0, end) }
    }

    /// When it is read again where other calls came first.
    func postponed(at now: Timestamp) -> Timestamp { now.adding(milliseconds: 1000) }
}
