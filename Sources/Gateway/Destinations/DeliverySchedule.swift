import Provisioning

/// When a delivery is tried again: the schedule that Standard Webhooks recommends.
struct DeliverySchedule: Sendable {
    /// How long after each failed try the next one comes, in seconds. The first try is made at once.
    static let delays: [Int64] = [
        5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600,
    ]
    /// How much longer than its time a try may be put off, so that what failed together does not come together again.
    static let jitter = 0.0...0.2

    /// Gives a number within a range: chance, unless a test says otherwise.
    var random: @Sendable (ClosedRange<Double>) -> Double = { Double.random(in: $0) }

    /// When the next try is made; nil where there is none.
    ///
    /// - Parameters:
    ///   - tries: How many were made, the last one included.
    ///   - wait: How long the destination asks to be left alone.
    func next(after tries: Int, at now: Timestamp, asked wait: Duration? = nil) -> Timestamp? {
        guard tries >= 1, tries <= Self.delays.count else { return nil }
        let milliseconds = Double(Self.delays[tries - 1] * 1000) * (1 + random(Self.jitter))
        let asked = wait.map { Int64($0 / .milliseconds(1)) } ?? 0
        return now.adding(milliseconds: max(Int64(milliseconds), asked))
    }
}
