import Storage
import Synchronization

/// Looks in the store whether API keys were made or revoked: one look at a time, however many ask.
///
/// A key that nobody knows costs a share of one read of one row: whoever comes while a look is under way shares the
/// next one with everybody else who came meanwhile.
final class StoredKeys: Sendable {
    private typealias Outcome = Result<Void, StoreFailure>

    /// What someone who waits is told.
    private enum Turn {
        /// It is theirs to look, for these others too.
        case look(for: [CheckedContinuation<Turn, Never>])
        /// Somebody looked for them.
        case ended(Outcome)
    }

    private struct State {
        var generation: Int64?
        var isLooking = false
        var waiting: [CheckedContinuation<Turn, Never>] = []
    }

    private let store: any APIKeyStore
    private let take: @Sendable ([APIKey]) -> Void
    private let state = Mutex(State())

    /// - Parameter take: Is given all keys in force whenever they have changed, never twice at once.
    init(_ store: any APIKeyStore, take: @escaping @Sendable ([APIKey]) -> Void) {
        self.store = store
        self.take = take
    }

    /// Returns once all that was made or revoked before the call is taken.
    func look() async throws(StoreFailure) {
        let turn: Turn = await withCheckedContinuation { continuation in
            let mayBegin = state.withLock { state in
                guard state.isLooking else {
                    state.isLooking = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if mayBegin { continuation.resume(returning: .look(for: [])) }
        }
        switch turn {
        case .ended(let outcome): try outcome.get()
        case .look(let others):
            let outcome = await read()
            passOn()
            for other in others { other.resume(returning: .ended(outcome)) }
            try outcome.get()
        }
    }

    private func read() async -> Outcome {
        do throws(StoreFailure) {
            let known = state.withLock { $0.generation }
            guard let keys = try await store.apiKeys(changedSince: known) else { return .success(()) }
            take(keys.inForce.map(APIKey.init))
            state.withLock { $0.generation = keys.generation }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Has one of those who came meanwhile look for all of them.
    private func passOn() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            if state.waiting.isEmpty { state.isLooking = false }
            return state.waiting
        }
        waiting.first?.resume(returning: .look(for: Array(waiting.dropFirst())))
    }
}

extension APIKey {
    /// A key of the store, with those of its scopes that this version knows.
    init(_ stored: StoredAPIKey) {
        self.init(
            name: stored.name, digest: stored.digest, scopes: Set(stored.scopes.compactMap(Scope.init)),
            programs: stored.programs.map(Set.init))
    }
}
