import Synchronization

/// Writes completions in the background, as many at once as have come while the ones before them were written.
final class CompletionWriter: Sendable {
    private struct State {
        var isRunning = false
        var waiters: [CheckedContinuation<StoreFailure?, Never>] = []
    }

    /// How many completions one transaction holds.
    private static let groupLimit = 128
    /// How long completions that could not be written wait for the next try.
    private static let pause: Duration = .milliseconds(500)

    let pending = PendingCompletions()
    private let state = Mutex(State())
    private let write: @Sendable ([ProvisioningCompletion]) async throws -> Void

    /// - Parameter write: Writes completions in one transaction.
    init(write: @escaping @Sendable ([ProvisioningCompletion]) async throws -> Void) { self.write = write }

    /// Leaves a completion to be written soon.
    func complete(_ completion: ProvisioningCompletion) throws(StoreFailure) {
        guard pending.add(completion) else { throw .closed }
        wake()
    }

    /// Returns once every completion that waits was written.
    ///
    /// - Throws: Why they could not be. They wait on.
    func flush() async throws(StoreFailure) {
        if pending.isEmpty { return }
        let failure = await withCheckedContinuation { continuation in
            state.withLock { $0.waiters.append(continuation) }
            wake()
        }
        if let failure { throw failure }
    }

    /// Writes what waits, in a few tries, and takes nothing more in.
    func close() async {
        for _ in 0..<3 where !pending.close() { try? await flush() }
        _ = pending.close(force: true)
    }

    private func wake() {
        let mustStart = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { Task.detached { [self] in await run() } }
    }

    private func run() async {
        while let waiters = nextRound() {
            var failure: StoreFailure?
            repeat { failure = await writeGroup() } while failure == nil && !pending.isEmpty
            for waiter in waiters { waiter.resume(returning: failure) }
            if failure != nil { try? await Task.sleep(for: Self.pause) }
        }
    }

    /// Who waits for the next round; nil where there is nothing to do.
    private func nextRound() -> [CheckedContinuation<StoreFailure?, Never>]? {
        state.withLock { state in
            if pending.isEmpty && state.waiters.isEmpty {
                state.isRunning = false
                return nil
            }
            defer { state.waiters = [] }
            return state.waiters
        }
    }

    /// Writes some completions, in the order of their attempts. Answers why some must be tried again.
    private func writeGroup() async -> StoreFailure? {
        let entries = pending.all.prefix(Self.groupLimit)
            .sorted { ($0.completion.record.id, $0.number) < ($1.completion.record.id, $1.number) }
        if entries.isEmpty { return nil }
        do {
            try await write(entries.map(\.completion))
            pending.remove(entries)
            return nil
        } catch {
            let failure = StoreFailure(error)
            return failure.isPassing ? failure : await writeApart(entries)
        }
    }

    /// Writes them one by one, since one cannot be written: that one is given up, and its attempt becomes `unknown` by the
    /// sweep.
    private func writeApart(_ entries: [PendingCompletions.Entry]) async -> StoreFailure? {
        for entry in entries {
            do {
                try await write([entry.completion])
            } catch {
                let failure = StoreFailure(error)
                if failure.isPassing { return failure }
            }
            pending.remove([entry])
        }
        return nil
    }
}
