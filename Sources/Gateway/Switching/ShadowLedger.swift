import Storage
import Synchronization

/// What shadows found and has not yet been written: many reads make one write.
final class ShadowLedger: Sendable {
    private let counts = Mutex<[ShadowFinding: Int]>([:])

    /// Counts a finding.
    func count(_ finding: ShadowFinding) { counts.withLock { $0[finding, default: 0] += 1 } }

    /// What was counted; it is counted no more.
    func take() -> [ShadowFinding: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }

    /// Counts again what could not be written.
    func giveBack(_ findings: [ShadowFinding: Int]) {
        counts.withLock { $0.merge(findings) { $0 + $1 } }
    }
}
