import Provisioning
import SQLite
import Synchronization
import Testing

@testable import Storage

/// What happens when the disk is full within a group.
struct GroupCommitTests {
    let folder: TemporaryFolder
    let group: GroupCommit

    init() throws {
        folder = try TemporaryFolder()
        group = GroupCommit(
            database: try Database(creating: folder.file("a.db"), chain: .sample), pending: PendingCompletions(),
            meter: StoreMeter())
        _ = try group.database.putCard(.sample(), by: .backend)
    }

    /// Collects what every caller is told.
    private final class Told: Sendable {
        let answers = Mutex<[String: [StoreFailure?]]>([:])

        func request(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) -> WriteRequest {
            WriteRequest(
                perform: { database in
                    try body(database)
                    return { self.tell(name, nil) }
                }, fail: { self.tell(name, $0) })
        }

        private func tell(_ name: String, _ failure: StoreFailure?) {
            answers.withLock { $0[name, default: []].append(failure) }
        }

        subscript(_ name: String) -> [StoreFailure?] { answers.withLock { $0[name] ?? [] } }
    }

    private func limitPages(to more: Int64) throws {
        let count = try group.database.connection.first("PRAGMA page_count") { $0.integer(0) } ?? 0
        try group.database.connection.execute("PRAGMA max_page_count = \(count + more)")
    }

    private func isFull(_ failures: [StoreFailure?]) -> Bool {
        guard failures.count == 1, case .unwritable(let text)? = failures[0] else { return false }
        return text.contains("The disk is full")
    }

    private static func reserve(_ id: String, size: Int) -> @Sendable (Database) throws -> Void {
        { database in
            var record = StoredProvisioning.sample(id)
            record.timeline[0].detail = String(repeating: "x", count: size)
            let result = try database.reserve(.sample(record, digest: Array(id.utf8)))
            #expect(result == .reserved)
        }
    }

    @Test func whatDoesNotFitFailsAndTheRestOfTheGroupIsKept() throws {
        try limitPages(to: 8)
        let told = Told()
        group.run([
            told.request("small", Self.reserve("small", size: 10)),
            told.request("large", Self.reserve("large", size: 1_000_000)),
            told.request("late", Self.reserve("late", size: 10)),
        ])
        #expect(isFull(told["large"]))
        // SQLite may end the whole transaction for a full disk: then everyone is told, and nothing is kept.
        let kept = try group.database.connection.all("SELECT id FROM provisioning ORDER BY id") { $0.text(0) }
        if kept.isEmpty {
            #expect(isFull(told["small"]) && isFull(told["late"]))
        } else {
            #expect(kept == ["late", "small"] && told["small"] == [nil] && told["late"] == [nil])
        }
        #expect(
            try group.database.connection.first("SELECT count(*) FROM spent_handshake") { $0.integer(0) }
                == Int64(kept.count))
        #expect(!group.database.connection.isInTransaction)
    }

    @Test func aCompletionThatDoesNotFitWaitsForRoom() throws {
        let told = Told()
        group.run([told.request("attempt", Self.reserve("prov_1", size: 10))])
        #expect(told["attempt"] == [nil])
        try limitPages(to: 0)
        var ended = StoredProvisioning.sample().ended(.handedOff)
        ended.timeline[0].detail = String(repeating: "y", count: 500_000)
        #expect(group.pending.add(ProvisioningCompletion(ended)))
        group.run([])
        #expect(!group.pending.isEmpty)
        #expect(group.pending.record(of: "prov_1", program: "rides") == ended)
        #expect(try group.database.provisionings.provisioning("prov_1", program: "rides")?.status == .sending)
        try group.database.connection.execute("PRAGMA max_page_count = 100000")
        group.run([])
        #expect(group.pending.isEmpty)
        #expect(try group.database.provisionings.provisioning("prov_1", program: "rides") == ended)
    }

    @Test func aRequestThatIsTriedTwiceIsToldOnce() throws {
        struct Refused: Error {}
        let told = Told()
        let tries = Mutex(0)
        group.run([
            told.request("good") { database in
                tries.withLock { $0 += 1 }
                try Self.reserve("prov_1", size: 10)(database)
            },
            told.request("bad") { _ in throw Refused() },
        ])
        #expect(tries.withLock { $0 } == 2)
        #expect(told["good"] == [nil])
        #expect(told["bad"].count == 1 && told["bad"] != [nil])
        #expect(try group.database.provisionings.provisioning("prov_1", program: "rides") != nil)
    }

    @Test func aLockThatIsHeldFailsEveryoneAndChangesNothing() throws {
        try group.database.connection.execute("PRAGMA busy_timeout = 0")
        let other = try Connection(path: folder.file("a.db"), mode: .readWrite)
        try other.beginImmediate()
        let told = Told()
        #expect(group.pending.add(ProvisioningCompletion(StoredProvisioning.sample().ended(.handedOff))))
        group.run([
            told.request("a", Self.reserve("prov_1", size: 1)), told.request("b", Self.reserve("prov_2", size: 1)),
        ])
        for name in ["a", "b"] {
            guard case .unavailable?? = told[name].first else {
                Issue.record("\(name) was not told that the store is busy")
                continue
            }
        }
        #expect(!group.pending.isEmpty, "the completion waits on")
        other.rollback()
    }
}
