import Synchronization

/// The answers whose last byte is not yet written, so that a reader who comes right after sees the final status.
final class DeliveryLedger: Sendable {
    private let waiting = Mutex<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Notes that the answer of that attempt, or under that key, is about to be written.
    func begin(_ id: String) { waiting.withLock { $0[id] = [] } }

    /// Returns once every answer that is being written now is settled.
    func allSettled() async {
        for id in waiting.withLock({ Array($0.keys) }) { await settled(id) }
    }

    /// Notes that it was, or cannot be. Whoever waits goes on.
    func end(_ id: String) {
        let continuations = waiting.withLock { $0.removeValue(forKey: id) } ?? []
        for continuation in continuations { continuation.resume() }
    }

    /// Returns once no answer of that attempt is being written. The server ends every delivery, so this ends too.
    func settled(_ id: String) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isWaiting = waiting.withLock { waiting in
                guard waiting[id] != nil else { return false }
                waiting[id]?.append(continuation)
                return true
            }
            if !isWaiting { continuation.resume() }
        }
    }
}
