import Synchronization

/// What was counted and has not yet been written: many requests make one write.
final class CountLedger<Kind: Hashable & Sendable>: Sendable {
    private let counts = Mutex<[Kind: Int]>([:])

    /// Counts one.
    func count(_ kind: Kind) { counts.withLock { $0[kind, default: 0] += 1 } }

    /// What was counted; it is counted no more.
    func take() -> [Kind: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }

    /// Counts again what could not be written.
    func giveBack(_ taken: [Kind: Int]) {
        counts.withLock { $0.merge(taken) { $0 + $1 } }
    }
}
