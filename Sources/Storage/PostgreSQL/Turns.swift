import Synchronization

/// Lets one after the other do what only one can do at a time: who waits here takes no connection meanwhile.
///
/// Where the store is away, whoever waits is told so with the one whose turn it was.
final class Turns: Sendable {
    private typealias Waiter = CheckedContinuation<StoreFailure?, Never>

    /// Who waits, by the name of what is waited for; a name is there while somebody has the turn.
    private let waiting = Mutex<[String: [Waiter]]>([:])

    /// Runs `body` when it is its turn, in the order of coming.
    func take<Answer: Sendable>(
        for name: String, _ body: () async throws(StoreFailure) -> Answer
    ) async throws(StoreFailure) -> Answer {
        if let failure = await begin(name) { throw failure }
        do throws(StoreFailure) {
            let answer = try await body()
            end(name)
            return answer
        } catch {
            if error.isPassing { fail(name, with: error) } else { end(name) }
            throw error
        }
    }

    private func begin(_ name: String) async -> StoreFailure? {
        await withCheckedContinuation { (waiter: Waiter) in
            let isFree = waiting.withLock { waiting in
                if waiting[name]?.append(waiter) != nil { return false }
                waiting[name] = []
                return true
            }
            if isFree { waiter.resume(returning: nil) }
        }
    }

    private func end(_ name: String) {
        let next = waiting.withLock { waiting -> Waiter? in
            if waiting[name]?.isEmpty ?? true {
                waiting[name] = nil
                return nil
            }
            return waiting[name]?.removeFirst()
        }
        next?.resume(returning: nil)
    }

    private func fail(_ name: String, with failure: StoreFailure) {
        let all = waiting.withLock { $0.removeValue(forKey: name) } ?? []
        for waiter in all { waiter.resume(returning: failure) }
    }
}
