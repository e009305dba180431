import Synchronization

/// Bounds how often it may be tried in vain to sign in: from one address, and from all together.
final class SignInLimit: Sendable {
    private static let perAddress = 10
    private static let inAll = 100
    private static let window: Duration = .seconds(60)

    private let failures = Mutex<[(address: String, at: ContinuousClock.Instant)]>([])

    /// Nil where it may be tried; else how long to wait.
    func wait(for address: String, at now: ContinuousClock.Instant) -> Duration? {
        failures.withLock { failures in
            failures.removeAll { now - $0.at >= Self.window }
            let own = failures.filter { $0.address == address }
            let isFull = failures.count >= Self.inAll
            guard isFull || own.count >= Self.perAddress else { return nil }
            let first = isFull ? failures.first : own.first
            return first.map { Self.window - (now - $0.at) }
        }
    }

    /// Counts a try that was in vain.
    func countFailure(of address: String, at now: ContinuousClock.Instant) {
        failures.withLock { $0.append((address, now)) }
    }
}
