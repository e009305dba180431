/// What calls that can wait may take of a connection: a tenth of its calls under way and of its rate, behind the others.
struct BackgroundShare: Sendable {
    /// Their rate where the connection has none.
    private static let unlimitedRate = 10.0

    private var inFlight = 0
    private var bucket = TokenBucket()

    /// Whether one more may be under way, of so many that the connection may have. One always may.
    func hasRoom(in limit: Int) -> Bool { inFlight < max(limit / 10, 1) }

    /// Nil where one may go, and then it has gone; else how long until the next.
    mutating func take(ratePerSecond: Double?, from connection: inout TokenBucket, at now: ContinuousClock.Instant)
        -> Duration?
    {
        let wait =
            if let ratePerSecond { takeRate(ratePerSecond, from: &connection, at: now) } else {
                bucket.take(rate: Self.unlimitedRate, at: now)
            }
        if wait == nil { inFlight += 1 }
        return wait
    }

    /// The same of the rate alone, for calls that somebody waits for.
    mutating func takeRate(_ rate: Double, from connection: inout TokenBucket, at now: ContinuousClock.Instant)
        -> Duration?
    {
        if let wait = bucket.take(rate: rate / 10, at: now) { return wait }
        if let wait = connection.take(rate: rate, leavesHalf: true, at: now) {
            bucket.giveBack()
            return wait
        }
        return nil
    }

    /// Takes one back that did not go after all.
    mutating func giveBack() { bucket.giveBack() }

    /// One has ended.
    mutating func leave() { inFlight -= 1 }
}
