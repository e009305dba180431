import Provisioning
import Synchronization

/// Completions that are not yet committed. They join the writer's next group; until then readers find them here.
///
/// It only adds to what the database says: no decision about uniqueness is taken from it.
final class PendingCompletions: Sendable {
    /// A completion and its place in the order of arrival.
    struct Entry: Sendable {
        let number: Int
        let completion: ProvisioningCompletion
    }

    private struct State {
        var entries: [Entry] = []
        var last = 0
        var records: [String: (number: Int, record: StoredProvisioning)] = [:]
        var endings: [IdempotencyKey: (number: Int, provisioning: String, ending: IdempotencyEnding)] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())

    /// What waits, the oldest first.
    var all: [Entry] { state.withLock { $0.entries } }

    /// Whether nothing waits.
    var isEmpty: Bool { state.withLock { $0.entries.isEmpty } }

    /// Adds a completion. False where the store is closed.
    func add(_ completion: ProvisioningCompletion) -> Bool {
        state.withLock { state in
            if state.isClosed { return false }
            state.last += 1
            let id = completion.record.id
            state.entries.append(Entry(number: state.last, completion: completion))
            let record = state.records[id]?.record.completed(as: completion.record) ?? completion.record
            state.records[id] = (state.last, record)
            if let (key, ending) = completion.idempotency { state.endings[key] = (state.last, id, ending) }
            return true
        }
    }

    /// Forgets completions that are committed or given up.
    func remove(_ entries: [Entry]) {
        if entries.isEmpty { return }
        state.withLock { state in
            let numbers = Set(entries.map(\.number))
            state.entries.removeAll { numbers.contains($0.number) }
            for entry in entries {
                let id = entry.completion.record.id
                if state.records[id]?.number == entry.number { state.records[id] = nil }
                guard let key = entry.completion.idempotency?.key else { continue }
                if state.endings[key]?.number == entry.number { state.endings[key] = nil }
            }
        }
    }

    /// Takes nothing more in, if nothing waits or `force` is set. Answers whether it is closed.
    func close(force: Bool = false) -> Bool {
        state.withLock { state in
            state.isClosed = state.isClosed || force || state.entries.isEmpty
            return state.isClosed
        }
    }

    /// Whether a completion that waits gives one of the handshakes back, or ends the request with the key.
    func mayFree(_ digests: [[UInt8]], _ key: IdempotencyKey?) -> Bool {
        state.withLock { state in
            if let key, state.endings[key] != nil { return true }
            return state.entries.contains { $0.completion.releasedHandshake.map(digests.contains) ?? false }
        }
    }

    /// The record of an attempt whose end waits. Ask before the database is read: what is not found here is there.
    func record(of id: String, program: String) -> StoredProvisioning? {
        let record = state.withLock { $0.records[id]?.record }
        return record?.card.program == program ? record : nil
    }

    /// The records of the program's attempts whose end waits, by id. Ask before the database is read.
    func records(ofProgram program: String) -> [String: StoredProvisioning] {
        state.withLock { $0.records.compactMapValues { $0.record.card.program == program ? $0.record : nil } }
    }

    /// How the request with a key ended, and for which attempt. Ask before the database is read.
    func ending(of key: IdempotencyKey) -> (provisioning: String, ending: IdempotencyEnding)? {
        state.withLock { $0.endings[key].map { ($0.provisioning, $0.ending) } }
    }
}

extension Page<StoredProvisioning> {
    /// The page with the completions that wait, less those that now have another status than was asked for.
    func completed(by pending: [String: StoredProvisioning], status: ProvisioningStatus?) -> Self {
        var page = self
        page.elements = elements.compactMap { stored in
            guard let ended = pending[stored.id] else { return stored }
            let record = stored.completed(as: ended)
            return status == nil || record.status == status ? record : nil
        }
        return page
    }
}
