import Storage
import Synchronization

/// The answers whose last byte is not yet written, so that a reader who comes right after sees the final status.
///
/// One rule holds for every reader, of a record, of a list, of an idempotency key: an answer that is being written when
/// the reader comes is waited for. The server ends every delivery, so every wait ends too.
final class DeliveryLedger: Sendable {
    /// The answer of one attempt, by everything that a reader may look for.
    struct Delivery: Sendable {
        /// The attempt.
        let id: String
        let card: CardKey
        let provider: String
        let idempotencyKey: IdempotencyKey?
    }

    private struct State {
        var deliveries: [String: Delivery] = [:]
        var ids: [IdempotencyKey: String] = [:]
        var waiters: [String: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state = Mutex(State())

    /// How many readers wait.
    var waiters: Int { state.withLock { $0.waiters.values.reduce(0) { $0 + $1.count } } }

    /// Notes that an answer is about to be written.
    func begin(_ delivery: Delivery) {
        state.withLock { state in
            state.deliveries[delivery.id] = delivery
            if let key = delivery.idempotencyKey { state.ids[key] = delivery.id }
        }
    }

    /// Notes that it was written, or cannot be, and that readers find how it ended. Whoever waits goes on.
    func end(_ delivery: Delivery) {
        let continuations = state.withLock { state in
            state.deliveries[delivery.id] = nil
            if let key = delivery.idempotencyKey, state.ids[key] == delivery.id { state.ids[key] = nil }
            return state.waiters.removeValue(forKey: delivery.id) ?? []
        }
        for continuation in continuations { continuation.resume() }
    }

    /// Returns once the answer of that attempt, if it is being written now, is settled.
    func settled(_ id: String) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isWaiting = state.withLock { state in
                guard state.deliveries[id] != nil else { return false }
                state.waiters[id, default: []].append(continuation)
                return true
            }
            if !isWaiting { continuation.resume() }
        }
    }

    /// Returns once the answer to the request with that key, if it is being written now, is settled.
    func settled(_ key: IdempotencyKey) async {
        if let id = state.withLock({ $0.ids[key] }) { await settled(id) }
    }

    /// Returns once all such answers that are being written now are settled. Later ones are not waited for.
    func settled(where isWanted: (Delivery) -> Bool) async {
        for delivery in state.withLock({ Array($0.deliveries.values) }) where isWanted(delivery) {
            await settled(delivery.id)
        }
    }
}
