import Synchronization

/// Holds what came of a call, for somebody who does not wait for the call itself.
final class Latch: Sendable {
    private let attempt: Mutex<Attempt?> = Mutex(nil)

    /// What came of the call; nil while it is under way.
    var value: Attempt? { attempt.withLock { $0 } }

    /// The call has ended.
    func close(with value: Attempt) { attempt.withLock { $0 = value } }

    /// Waits until the condition holds or the time is up.
    func wait(for patience: Duration, until condition: () -> Bool) async throws {
        let end = ContinuousClock.now + patience
        while !condition(), .now < end { try await Task.sleep(for: .milliseconds(1)) }
    }
}
