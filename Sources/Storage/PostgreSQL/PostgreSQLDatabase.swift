import PostgreSQL
import Provisioning

/// One transaction with our statements on it. It belongs to the closure that it was given to.
///
/// Locks are taken in one order, so that transactions wait for each other and seldom undo each other: the guards, the
/// program's trail, the idempotency key, the program's routing, cards, handshakes, attempts in the order of their
/// numbers, and at the end the program's events.
final class PostgreSQLDatabase {
    /// An event that is written at the transaction's end.
    struct News {
        let type: EventType
        let program: String
        let card: String
        let at: Timestamp
        let members: [StoredEvent.Member]
    }

    /// An attempt that was written.
    struct Observed {
        let program: String
        /// Whether it has ended within this transaction, and was not counted before.
        let isFirst: Bool
    }

    /// What transactions exclude each other from.
    enum Lock {
        /// A program's audit trail, and so its cards.
        case trail(String)
        /// Who serves a program's cards.
        case routing(String)
        /// A program's events: they are numbered in the order in which they can be seen.
        case events(String)
        /// The choice of attempts to follow up.
        case followUps
        /// The choice of deliveries to send.
        case sending
        /// The choice of migrations whose guards look, and how their looks end.
        case guards

        fileprivate var name: String {
            switch self {
            case .trail(let program): ":passgate:trail:\(program)"
            case .routing(let program): ":passgate:routing:\(program)"
            case .events(let program): ":passgate:events:\(program)"
            case .followUps: ":passgate:follow-ups"
            case .sending: ":passgate:sending"
            case .guards: ":passgate:guards"
            }
        }
    }

    let sql: Transaction
    let chain: AuditChain
    var news: [News] = []
    /// The attempts that were written, by id: at the end it is counted what they now say.
    var observed: [String: Observed] = [:]
    /// The last entries of the trails that were opened.
    var trails: [String: Answer<(sequence: Int64, digest: [UInt8])>] = [:]
    var lastEntries: [String: (sequence: Int64, digest: [UInt8])] = [:]

    init(_ transaction: Transaction, chain: AuditChain) {
        sql = transaction
        self.chain = chain
    }

    /// Keeps every other transaction from it until this one ends.
    func lock(_ lock: Lock) {
        sql.run("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || $1, 0))", .text(lock.name))
    }

    /// Keeps those that want it for themselves from it until this one ends.
    func share(_ lock: Lock) {
        sql.run("SELECT pg_advisory_xact_lock_shared(hashtextextended(current_schema() || $1, 0))", .text(lock.name))
    }

    /// A list of numbers as an array's text.
    static func list(_ numbers: [Int64]) -> PostgreSQLValue {
        .text("{" + numbers.map(String.init).joined(separator: ",") + "}")
    }
}
