import Provisioning
import Synchronization

/// The sessions that were ended at this instance before their time. Cookies cannot be taken back, so they are remembered
/// for as long as they would have been good.
final class EndedSessions: Sendable {
    private let ended = Mutex<[String: Timestamp]>([:])

    /// Ends a session.
    func end(_ session: ConsoleSession, at now: Timestamp) {
        ended.withLock { ended in
            ended = ended.filter { now.milliseconds < $0.value.milliseconds }
            ended[session.id] = session.expiresAt
        }
    }

    /// Whether the session was ended.
    func contains(_ session: ConsoleSession) -> Bool { ended.withLock { $0[session.id] != nil } }
}
