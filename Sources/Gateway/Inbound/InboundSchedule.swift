import Provisioning

/// When a delivery that could not be read is tried again: soon at first, then ever more rarely, for a day.
struct InboundSchedule: Sendable {
    private static let dayMilliseconds: Int64 = 24 * 3600 * 1000
    private static let longestMilliseconds: Int64 = 15 * 60 * 1000

    /// When it came.
    let receivedAt: Timestamp

    /// When it is read again after so many tries in vain; nil where it is given up.
    func next(after tries: Int, at now: Timestamp) -> Timestamp? {
        if now >= receivedAt.adding(milliseconds: Self.dayMilliseconds) { return nil }
        return now.adding(milliseconds: min(1000 << Int64(min(tries, 20)), Self.longestMilliseconds))
    }

    /// When it is read again where other calls came first.
    func postponed(at now: Timestamp) -> Timestamp { now.adding(milliseconds: 1000) }
}
