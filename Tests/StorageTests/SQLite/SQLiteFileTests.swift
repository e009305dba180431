import Foundation
import Provisioning
import SQLite
import Testing

@testable import Storage

struct SQLiteFileTests {
    let folder: TemporaryFolder
    let test: SQLiteUnderTest

    init() throws {
        folder = try TemporaryFolder()
        test = SQLiteUnderTest(path: folder.file("passgate.db"))
    }

    private func raw() throws -> Connection { try Connection(path: test.path, mode: .createPrivate) }

    @Test func aNewerSchemaIsRefusedAndLeftAlone() async throws {
        await (try test.openSQLite()).close()
        let other = try raw()
        try other.execute("PRAGMA user_version = 99")
        #expect(throws: StoreFailure.newerSchema(found: 99, known: Schema.version)) { try test.openSQLite() }
        #expect(try other.first("PRAGMA user_version") { $0.integer(0) } == 99)
    }

    @Test func aStoreOfTheFirstVersionIsBroughtToThisOne() async throws {
        let old = try raw()
        try old.execute(Schema.schema0001)
        try old.execute(
            """
            PRAGMA user_version = 1;
            PRAGMA application_id = \(0x5047_5354);
            """)
        for (id, status) in [("prov_1", "unknown"), ("prov_2", "handed_off"), ("prov_3", "refused")] {
            try old.run(
                """
                INSERT INTO provisioning (id, program, card, provider, connection, provider_card_id, wallet, channel,
                    origin, handoff, status, created_at, updated_at, deadline_at, attempts, notes, timeline, instance)
                VALUES (?, 'rides', 'card_1', 'increase', 'increase_main', 'card_card_1', 'apple_pay', 'in_app', 'app',
                    'apple_pay_pass', ?, 1000, 2000, 3000, 1, x'0000', x'00', 'one')
                """, .text(id), .text(status))
        }
        old.close()
        let store = try test.openSQLite()
        let due = try await store.claim(
            FollowUpClaim(now: Moment.start, holder: "two", leaseUntil: Moment.after(1), limit: 10))
        #expect(due.map(\.id) == ["prov_1", "prov_2"])
        #expect(due.map(\.sentAt) == [Timestamp(milliseconds: 1000), nil])
        #expect(due.map(\.deliveredAt) == [nil, Timestamp(milliseconds: 2000)])
        await store.close()
        let version = try raw().first("PRAGMA user_version") { $0.integer(0) }
        #expect(version == Int64(Schema.version))
    }

    @Test func aProgramOfTheVersionBeforeLeavesTheRestWhole() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        let token = try #require(try await store.settle(.sample(.sample(), observedAfter: 6000)).tokens.first)
        // As the version before erases a card: it knows no token.
        let other = try raw()
        try other.execute("PRAGMA foreign_keys = ON; DELETE FROM card")
        #expect(try await store.token(token.id, program: "rides") == nil)
        #expect(try other.first("SELECT count(*) FROM token") { $0.integer(0) } == 0)
    }

    @Test func nothingOfADeliveryIsKeptOnceItWasRead() async throws {
        let store = try test.openSQLite()
        _ = try await store.receive(.sample(body: "canary"))
        _ = try await store.claim(InboundClaim.sample(after: 0))
        try await store.finish(InboundEnd.sample(after: 1))
        let kept = try raw().all("SELECT key, body, outcome FROM inbound") { row in
            [row.text(0), row.optionalText(1), row.text(2)]
        }
        #expect(kept == [["evt_1", nil, "applied"]])
    }

    @Test func followUpsAreFoundByTheirIndex() throws {
        _ = try test.openSQLite()
        let plan = try raw().all(
            "EXPLAIN QUERY PLAN SELECT * FROM provisioning_record WHERE follow_up_at <= ? ORDER BY follow_up_at LIMIT 1",
            .integer(1)
        ) { $0.text(3) }
        #expect(plan == ["SEARCH provisioning USING INDEX provisioning_to_follow_up (follow_up_at<?)"])
    }

    @Test func aDatabaseOfAnotherProgramIsRefusedAndLeftAlone() throws {
        let other = try raw()
        try other.execute("CREATE TABLE theirs (a)")
        #expect {
            _ = try test.openSQLite()
        } throws: { error in
            guard case StoreFailure.broken(let text) = error else { return false }
            return text.contains("not one of Passgate")
        }
        #expect(try other.first("PRAGMA journal_mode") { $0.text(0) } == "delete")
        #expect(try other.all("SELECT name FROM sqlite_schema") { $0.text(0) } == ["theirs"])
    }

    @Test func severalMayCreateTheFileAtOnce() async throws {
        let test = test
        let opened = await withTaskGroup(of: SQLiteStore?.self) { group in
            for _ in 0..<4 { group.addTask { try? test.openSQLite() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(opened.count { $0 != nil } == 4)
        for (number, store) in opened.enumerated() {
            _ = try await store?.putCard(.sample("c\(number)"), audit: .backend)
        }
        #expect(try await opened[0]?.cards(CardQuery(program: "rides", page: PageRequest())).elements.count == 4)
    }

    @Test func aFileThatIsNoDatabaseIsBroken() throws {
        try Data(repeating: 0x41, count: 8192).write(to: URL(filePath: test.path))
        #expect {
            _ = try test.openSQLite()
        } throws: { error in
            guard case StoreFailure.broken(let text) = error else { return false }
            return text.contains("damaged or no database")
        }
    }

    @Test func aDamagedPageIsBrokenAndNeverAWrongAnswer() async throws {
        let store = try test.openSQLite()
        for number in 0..<200 { _ = try await store.putCard(.sample("c\(number)"), audit: .backend) }
        await store.close()
        var bytes = try Data(contentsOf: URL(filePath: test.path))
        // Every page but the first, which holds the schema's root.
        bytes.replaceSubrange(4096..<bytes.count, with: Data(repeating: 0xa5, count: bytes.count - 4096))
        try bytes.write(to: URL(filePath: test.path))
        await #expect {
            let damaged = try test.openSQLite()
            _ = try await damaged.card(.rides("c7"))
        } throws: { error in
            guard case StoreFailure.broken = error else { return false }
            return true
        }
    }

    @Test func aMissingFolderIsNamed() throws {
        #expect {
            _ = try SQLiteUnderTest(path: folder.file("none/a.db")).openSQLite()
        } throws: { error in
            guard case StoreFailure.unwritable(let text) = error else { return false }
            return text.contains("the folder of the database does not exist")
        }
    }

    @Test func aLogThatCannotBeWrittenIsSaid() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        // A folder where the log should be: it cannot be opened.
        await store.close()
        try FileManager.default.createDirectory(atPath: test.path + "-wal", withIntermediateDirectories: false)
        #expect {
            _ = try test.openSQLite()
        } throws: { error in
            guard case StoreFailure.unwritable = error else { return false }
            return true
        }
    }

    @Test func aLockThatIsHeldIsUnavailable() async throws {
        let store = try test.openSQLite()
        let other = try raw()
        try other.beginImmediate()
        await #expect {
            _ = try await store.putCard(.sample(), audit: .backend)
        } throws: { error in
            guard case StoreFailure.unavailable = error else { return false }
            return true
        }
        other.rollback()
        guard case .created = try await store.putCard(.sample(), audit: .backend) else {
            Issue.record("the store did not recover")
            return
        }
    }

    @Test func failuresQuoteNoValue() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        #expect(try await store.reserve(.sample(.sample("prov_canary"), digest: [1])) == .reserved)
        await #expect {
            _ = try await store.reserve(.sample(.sample("prov_canary"), digest: [2]))
        } throws: { error in
            !"\(error)".contains("canary")
        }
    }
}
