import Foundation
import SQLite
import Testing

struct ConnectionTests {
    let folder: TemporaryFolder
    let connection: Connection

    init() throws {
        folder = try TemporaryFolder()
        connection = try Connection(path: folder.file("a.db"), mode: .createPrivate)
        try connection.execute(
            "PRAGMA journal_mode = WAL; CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c BLOB) STRICT")
    }

    @Test(arguments: ["", "plain", "Zoë 山田 👩🏽‍🚀", "nul\u{0}inside", String(repeating: "x", count: 100_000)])
    func textComesBackAsItWas(_ text: String) throws {
        try connection.run("INSERT INTO t (b) VALUES (?)", .text(text))
        let read = try connection.first("SELECT b FROM t") { $0.text(0) }
        #expect(read == text)
    }

    @Test(arguments: [[], [0], [0, 255, 0, 1], [UInt8](repeating: 7, count: 70_000)] as [[UInt8]])
    func bytesComeBackAsTheyWere(_ bytes: [UInt8]) throws {
        try connection.run("INSERT INTO t (c) VALUES (?)", .bytes(bytes))
        let read = try connection.first("SELECT c FROM t") { $0.optionalBytes(0) }
        #expect(read == .some(bytes))
    }

    @Test(arguments: [.min, -1, 0, 1, .max] as [Int64])
    func numbersComeBackAsTheyWere(_ number: Int64) throws {
        try connection.run("INSERT INTO t (a) VALUES (?)", .integer(number))
        #expect(try connection.first("SELECT a FROM t") { $0.integer(0) } == number)
    }

    @Test func nothingIsNotEmpty() throws {
        try connection.run("INSERT INTO t (b, c) VALUES (?, ?)", .text(orNull: nil), .bytes(orNull: nil))
        let row = try connection.first("SELECT b, c, a FROM t WHERE b IS NULL") {
            ($0.optionalText(0), $0.optionalBytes(1), $0.isNull(2))
        }
        #expect(row?.0 == nil && row?.1 == nil && row?.2 == false)
    }

    @Test func aRunSaysHowManyRowsItChanged() throws {
        for number in 1...3 { try connection.run("INSERT INTO t (a) VALUES (?)", .integer(Int64(number))) }
        #expect(try connection.run("DELETE FROM t WHERE a > ?", .integer(1)) == 2)
        #expect(try connection.all("SELECT a FROM t") { $0.integer(0) } == [1])
    }

    @Test func aStatementCanBeUsedAgainAfterItFailed() throws {
        func insert() throws { try connection.run("INSERT INTO t (a) VALUES (?)", .integer(1)) }
        try insert()
        #expect { try insert() } throws: { ($0 as? SQLiteError)?.kind == .constraint }
        try connection.execute("DELETE FROM t")
        try insert()
    }

    @Test func aStatementCanBeUsedAgainAfterItsRowsThrew() throws {
        struct Stop: Error {}
        try connection.execute("INSERT INTO t (a) VALUES (1), (2)")
        func read(_ stops: Bool) throws -> Int? {
            try connection.first("SELECT a FROM t") { row in
                if stops { throw Stop() }
                return Int(row.integer(0))
            }
        }
        #expect(throws: Stop.self) { try read(true) }
        #expect(try read(false) == 1)
    }

    @Test func anErrorQuotesNoValue() throws {
        try connection.execute("CREATE TABLE u (v TEXT UNIQUE) STRICT; INSERT INTO u VALUES ('canary-4242')")
        #expect {
            try connection.run("INSERT INTO u VALUES (?)", .text("canary-4242"))
        } throws: { error in
            !"\(error)".contains("canary") && !"\(error)".contains("INSERT")
        }
    }

    @Test func aFailedSavepointUndoesItselfOnly() throws {
        struct Stop: Error {}
        try connection.beginImmediate()
        try connection.savepoint { _ = try connection.run("INSERT INTO t (a) VALUES (1)") }
        #expect(throws: Stop.self) {
            try connection.savepoint {
                try connection.run("INSERT INTO t (a) VALUES (2)")
                throw Stop()
            }
        }
        try connection.commit()
        #expect(try connection.all("SELECT a FROM t") { $0.integer(0) } == [1])
    }

    @Test func aRollbackUndoesEverything() throws {
        try connection.beginImmediate()
        try connection.run("INSERT INTO t (a) VALUES (1)")
        #expect(connection.isInTransaction)
        connection.rollback()
        #expect(!connection.isInTransaction)
        #expect(try connection.first("SELECT a FROM t") { $0.integer(0) } == nil)
    }

    @Test func aLockedDatabaseIsBusy() throws {
        let other = try Connection(path: folder.file("a.db"), mode: .readWrite, busyMilliseconds: 0)
        try connection.beginImmediate()
        #expect { try other.beginImmediate() } throws: { ($0 as? SQLiteError)?.kind == .busy }
        connection.rollback()
        try other.beginImmediate()
        other.rollback()
    }

    @Test func aReaderCannotWrite() throws {
        let reader = try Connection(path: folder.file("a.db"), mode: .readOnly)
        #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO t (a) VALUES (1)") }
    }

    @Test func aFileIsReadableByItsOwnerAlone() throws {
        try connection.run("INSERT INTO t (a) VALUES (1)")
        for name in ["a.db", "a.db-wal", "a.db-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func aMissingFolderIsNamed() {
        #expect {
            _ = try Connection(path: folder.file("none/a.db"), mode: .createPrivate)
        } throws: { error in
            (error as? SQLiteError)?.message == "the folder of the database does not exist"
        }
    }

    @Test func aFolderIsNoDatabase() {
        #expect {
            _ = try Connection(path: folder.path, mode: .createPrivate)
        } throws: { error in
            (error as? SQLiteError)?.message == "the path of the database is a folder"
        }
    }

    @Test func aFileThatIsNoDatabaseIsCorrupt() throws {
        let path = folder.file("text.db")
        try Data(repeating: 0x41, count: 4096).write(to: URL(filePath: path))
        let other = try Connection(path: path, mode: .readWrite)
        #expect {
            _ = try other.first("SELECT 1 FROM sqlite_schema") { _ in true }
        } throws: { ($0 as? SQLiteError)?.kind == .corrupt }
    }

    @Test func aFullFileIsFull() throws {
        try connection.execute("PRAGMA max_page_count = 4")
        #expect {
            for _ in 0..<10 {
                try connection.run("INSERT INTO t (c) VALUES (?)", .bytes(.init(repeating: 1, count: 8192)))
            }
        } throws: { ($0 as? SQLiteError)?.kind == .full }
    }

    @Test func theLogIsCountedAndCopied() throws {
        for _ in 0..<5 { try connection.run("INSERT INTO t (b) VALUES (?)", .text("x")) }
        #expect(connection.walPages >= 5)
        let other = try Connection(path: folder.file("a.db"), mode: .readWrite)
        #expect(try other.all("SELECT b FROM t") { $0.text(0) }.count == 5)
        let state = try other.checkpoint()
        #expect(state.logged == connection.walPages && state.copied == state.logged)
    }

    @Test func aClosedConnectionSaysSo() {
        connection.close()
        #expect { try connection.execute("SELECT 1") } throws: { "\($0)".contains("closed") }
    }
}
