import Provisioning
import Storage

/// When an attempt is followed up: often at first, then ever more rarely, for a day.
struct FollowUpSchedule: Sendable {
    /// How long an attempt is followed up, from its sending on.
    static let dayMilliseconds: Int64 = 24 * 3600 * 1000
    /// How much longer a processor that gives no answer is asked before the attempt is abandoned.
    static let graceMilliseconds: Int64 = 3600 * 1000

    /// When it was sent, or made where it is not known to have been sent.
    let start: Timestamp
    /// Whether the processor can be asked.
    let canAsk: Bool
    /// Gives a number within a range: chance, unless a test says otherwise.
    var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    /// When the day is over.
    var end: Timestamp { start.adding(milliseconds: Self.dayMilliseconds) }

    /// Whether nothing more is waited for.
    ///
    /// - Parameter hasAnswer: Whether the processor has just been asked and gave an answer.
    func isOver(at now: Timestamp, hasAnswer: Bool) -> Bool {
        now >= end && (hasAnswer || !canAsk || now >= end.adding(milliseconds: Self.graceMilliseconds))
    }

    /// When an attempt with that status, followed up so often, is due again; nil where nothing more is awaited.
    func next(for status: ProvisioningStatus, after followUps: Int, at now: Timestamp) -> Timestamp? {
        guard status.isFollowedUp else { return nil }
        guard canAsk else {
            // Nobody can be asked, but the day must be closed.
            return status.after(.dayPassed) == nil ? nil : max(end, now)
        }
        if now >= end {
            return isOver(at: now, hasAnswer: false) ? nil : now.adding(milliseconds: jittered(300_000))
        }
        // Where the outcome is unknown, somebody waits to hear it; else most hear it from the device or a webhook.
        let delay: Int64 =
            status == .unknown
            ? min(2000 << Int64(min(followUps, 20)), 3_600_000)
            : min(60_000 << Int64(2 * min(followUps, 10)), 21_600_000)
        return min(now.adding(milliseconds: jittered(delay)), end)
    }

    /// When an attempt with an unknown outcome, for which others came first, is due again.
    func postponed(at now: Timestamp) -> Timestamp { now.adding(milliseconds: jittered(15_000)) }

    /// Spread, so that what fell due together does not stay together.
    private func jittered(_ delay: Int64) -> Int64 { Int64(Double(delay) * random(0.8...1.2)) }
}
