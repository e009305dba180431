/// Opens after 20 failures in a row, or when half of at least 100 requests in 30 s failed; any other answer closes it.
/// While it is open, one request a second is let through as a probe.
struct CircuitBreaker: Sendable {
    /// The one request of its second that finds out whether the processor is well again.
    struct Probe: Sendable, Equatable {
        fileprivate let number: Int
    }

    private struct Second: Sendable {
        var index: Int64
        var total = 0
        var failed = 0
    }

    private var inARow = 0
    private var seconds: [Second] = []
    private(set) var isOpen = false
    private var probes = 0
    private var nextProbe: ContinuousClock.Instant?
    private let origin = ContinuousClock.now

    /// Nil where a request may go; else how long until the next probe.
    func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard isOpen, let nextProbe, now < nextProbe else { return nil }
        return nextProbe - now
    }

    /// Lets a request go that need not wait: as the probe, where the breaker is open.
    mutating func admit(at now: ContinuousClock.Instant) -> Probe? {
        guard isOpen else { return nil }
        nextProbe = now + .seconds(1)
        probes += 1
        return Probe(number: probes)
    }

    /// Takes a probe back that found nothing out: the next request is one, unless there was another meanwhile.
    mutating func takeBack(_ probe: Probe) {
        if isOpen, probe.number == probes { nextProbe = nil }
    }

    /// Counts how a request ended.
    mutating func record(failed: Bool, at now: ContinuousClock.Instant) {
        let index = (now - origin).components.seconds
        seconds.removeAll { $0.index <= index - 30 }
        if seconds.last?.index != index { seconds.append(Second(index: index)) }
        seconds[seconds.count - 1].total += 1
        guard failed else {
            inARow = 0
            if isOpen { seconds.removeAll() }
            isOpen = false
            nextProbe = nil
            return
        }
        inARow += 1
        seconds[seconds.count - 1].failed += 1
        let total = seconds.reduce(0) { $0 + $1.total }
        let failures = seconds.reduce(0) { $0 + $1.failed }
        if !isOpen, inARow >= 20 || total >= 100 && failures * 2 >= total {
            isOpen = true
            nextProbe = now + .seconds(1)
        }
    }
}
