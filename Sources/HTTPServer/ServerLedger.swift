import Synchronization

/// What all loops of one server count together.
final class ServerLedger: Sendable {
    private let limit: Int
    private let connections = Atomic<Int>(0)
    private let requests = Atomic<Int>(0)
    private let draining = Atomic<Bool>(false)
    private let wait = Mutex(Wait())

    private struct Wait {
        var isOver = false
        var waiter: UnsafeContinuation<Void, Never>?
    }

    init(connectionLimit: Int) { limit = connectionLimit }

    var openConnections: Int { connections.load(ordering: .relaxed) }
    var inFlightRequests: Int { requests.load(ordering: .relaxed) }
    var isDraining: Bool { draining.load(ordering: .relaxed) }

    /// Counts a connection; false where the limit is reached.
    func admit() -> Bool {
        if connections.add(1, ordering: .relaxed).newValue <= limit { return true }
        connections.subtract(1, ordering: .relaxed)
        return false
    }

    /// Counts a socket that stays open beyond its connection's end, whatever the limit.
    func connectionStays() { connections.add(1, ordering: .relaxed) }

    func connectionEnded() {
        if connections.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { wakeWhenIdle() }
    }

    func requestBegan() { requests.add(1, ordering: .relaxed) }

    func requestEnded() {
        if requests.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { wakeWhenIdle() }
    }

    func beginDraining() { draining.store(true, ordering: .sequentiallyConsistent) }

    /// Waits until nothing is open and nothing in flight, or until ``endWait()``. For one waiter.
    func untilIdle() async {
        await withUnsafeContinuation { continuation in
            wait.withLock { $0.waiter = continuation }
            if isIdle || wait.withLock({ $0.isOver }) { endWait() }
        }
    }

    /// Ends the wait, also one that has yet to begin.
    func endWait() {
        let waiter = wait.withLock { wait in
            wait.isOver = true
            return wait.waiter.take()
        }
        waiter?.resume()
    }

    private var isIdle: Bool { openConnections == 0 && inFlightRequests == 0 }

    private func wakeWhenIdle() { if isDraining && isIdle { endWait() } }
}
