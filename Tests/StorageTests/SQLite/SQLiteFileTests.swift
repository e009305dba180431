import Foundation
import Provisioning
import SQLite
import Storage
import Testing

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
        #expect(throws: StoreFailure.newerSchema(found: 99, known: 1)) { try test.openSQLite() }
        #expect(try other.first("PRAGMA user_version") { $0.integer(0) } == 99)
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
