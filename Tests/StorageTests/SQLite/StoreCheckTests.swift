import Foundation
import Provisioning
import SQLite
import Testing

@testable import Storage

@Suite("A store is looked over, and what is wrong is named")
struct StoreCheckTests {
    let folder: TemporaryFolder
    let test: SQLiteUnderTest

    init() throws {
        folder = try TemporaryFolder()
        test = SQLiteUnderTest(path: folder.file("passgate.db"))
    }

    private var file: SQLiteFile { SQLiteFile(path: test.path) }

    /// A store with something in every table that a check reads.
    private func fill() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        _ = try await store.putCard(.sample("b"), audit: .backend)
        #expect(try await store.reserve(.sample(.sample("prov_1"), digest: [1])) == .reserved)
        try await store.add(.sample("dest_1"), audit: .backend)
        _ = try await store.settle(.sample(.sample(), observedAfter: 6000))
        await store.close()
    }

    /// What the named check finds after something was done to the file behind the store's back.
    private func findings(_ check: String, after script: String) async throws -> [String] {
        try await fill()
        #expect(try file.verify(.sample, at: Moment.start).isWhole)
        let connection = try Connection(path: test.path, mode: .readWrite)
        try connection.execute(script)
        connection.close()
        let report = try file.verify(.sample, at: Moment.start)
        #expect(!report.isWhole)
        return try #require(report.checks.first { $0.name == check }).findings
    }

    @Test func aWholeStoreIsWholeWhileItIsWritten() async throws {
        try await fill()
        let store = try test.openSQLite()
        let report = try file.verify(.sample, at: Moment.start)
        #expect(report.isWhole && report.version == SchemaPlan.known)
        #expect(report.checks.map(\.name) == StoreCheck.all.map(\.name))
        #expect(Set(report.checks.map(\.name)).count == report.checks.count)
        _ = try await store.putCard(.sample("c"), audit: .backend)
        #expect(try file.verify(.sample, at: Moment.start).isWhole)
    }

    @Test func aCardWithoutAnActiveBindingIsNamed() async throws {
        let found = try await findings("bindings", after: "UPDATE binding SET state = 'standby' WHERE card = 2")
        #expect(found == ["rides/b has 0 active bindings"])
    }

    @Test func anIdThatIsAnothersIsNamed() async throws {
        let found = try await findings("owners", after: "UPDATE provider_card SET card = 1 WHERE card = 2")
        #expect(found.count == 1 && found[0].hasPrefix("rides/b at "))
    }

    @Test func anAttemptWhoseHandshakeIsNotSpentIsNamed() async throws {
        let found = try await findings("handshakes", after: "DELETE FROM spent_handshake")
        #expect(found == ["prov_1 was reserved without its handshake"])
    }

    @Test func aReferenceIntoNowhereIsNamed() async throws {
        let found = try await findings(
            "references", after: "PRAGMA foreign_keys = OFF; DELETE FROM card WHERE number = 2")
        #expect(found.contains("a row of binding refers to none of card"))
    }

    @Test(arguments: [
        ("DROP INDEX card_by_program", "index card_by_program is missing"),
        ("CREATE TABLE theirs (a)", "table theirs is none of ours"),
        ("DROP TRIGGER audit_keeps_entries", "trigger audit_keeps_entries is missing"),
        ("ALTER TABLE health ADD COLUMN more INTEGER", "table health is not as it was made"),
    ])
    func anObjectThatNoScriptMadeIsNamed(_ script: String, _ words: String) async throws {
        #expect(try await findings("schema", after: script) == [words])
    }

    @Test func aTrailThatIsNotWholeIsNamed() async throws {
        let found = try await findings(
            "audit",
            after: """
                DROP TRIGGER audit_keeps_entries;
                UPDATE audit SET actor = 'nobody' WHERE sequence = 2;
                CREATE TRIGGER audit_keeps_entries BEFORE UPDATE ON audit
                    BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
                """)
        #expect(found == ["rides: entry 2: changed, or put in"])
    }

    @Test func anEventAheadOfItsCardsSequenceIsNamed() async throws {
        let found = try await findings("events", after: "UPDATE event_sequence SET last = 0")
        #expect(!found.isEmpty && found.allSatisfy { $0.contains("and counted 0") })
    }

    @Test func aDeliveryThatNobodyWillSendIsNamed() async throws {
        let found = try await findings("deliveries", after: "UPDATE delivery SET due_at = NULL")
        #expect(!found.isEmpty && found.allSatisfy { $0.hasSuffix("will never be sent") })
    }

    @Test func aDamagedPageIsAFinding() async throws {
        try await fill()
        let connection = try Connection(path: test.path, mode: .readWrite)
        _ = try connection.first("PRAGMA journal_mode = DELETE") { $0.text(0) }
        let page = try #require(
            try connection.first("SELECT rootpage FROM sqlite_schema WHERE name = 'event'") { $0.integer(0) })
        connection.close()
        var bytes = try Data(contentsOf: URL(filePath: test.path))
        let start = Int(page - 1) * 4096
        bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xa5, count: 4096))
        try bytes.write(to: URL(filePath: test.path))
        let report = try file.verify(.sample, at: Moment.start)
        #expect(report.checks.first { $0.name == "pages" }?.findingCount != 0)
    }

    @Test func aFileThatIsNoDatabaseIsAFinding() throws {
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: test.path))
        let report = try file.verify(.sample, at: Moment.start)
        #expect(!report.isWhole && report.checks.map(\.name) == ["file"])
    }

    @Test func manyFindingsAreCountedAndTheFirstAreListed() async throws {
        let store = try test.openSQLite()
        for number in 0..<30 {
            _ = try await store.putCard(.sample("c\(number)"), audit: .backend)
        }
        await store.close()
        let connection = try Connection(path: test.path, mode: .readWrite)
        try connection.execute("UPDATE binding SET state = 'retired'")
        let check = try #require(
            try file.verify(.sample, at: Moment.start).checks.first { $0.name == "bindings" })
        #expect(check.findingCount == 30 && check.findings.count == 20)
    }
}
