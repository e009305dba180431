import Foundation
import Provisioning
import SQLite
import Testing

@testable import Storage

@Suite("A store is copied while others work on it")
struct SQLiteCopyTests {
    let folder: TemporaryFolder
    let test: SQLiteUnderTest

    init() throws {
        folder = try TemporaryFolder()
        test = SQLiteUnderTest(path: folder.file("passgate.db"))
    }

    private var file: SQLiteFile { SQLiteFile(path: test.path) }
    private var copy: String { folder.file("copy.db") }

    @Test func theCopyHoldsWhatWasAcknowledgedBeforeAndServes() async throws {
        let store = try test.openSQLite()
        for number in 0..<50 { _ = try await store.putCard(.sample("c\(number)"), audit: .backend) }
        try file.backUp(to: copy)
        _ = try await store.putCard(.sample("later"), audit: .backend)
        let restored = try SQLiteUnderTest(path: copy).openSQLite()
        #expect(try await restored.card(.rides("c49")) == store.card(.rides("c49")))
        #expect(try await restored.card(.rides("later")) == nil)
        #expect(try await restored.verify(program: "rides", with: .sample).isWhole)
        guard case .created = try await restored.putCard(.sample("later"), audit: .backend) else {
            Issue.record("the copy cannot be written")
            return
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }

    /// Between two pages of the copy a card is written, again and again: none of them is in it, and none waits for it.
    @Test func theCopyIsOfOneMoment() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample("first"), audit: .backend)
        let other = try Connection(path: test.path, mode: .readWrite)
        try other.execute("CREATE TABLE ballast (bytes BLOB)")
        for _ in 0..<64 { try other.run("INSERT INTO ballast VALUES (zeroblob(262144))") }
        var steps: [Int] = []
        let source = try Connection(path: test.path, mode: .readOnly)
        try source.copy(to: copy) { copied, pages in
            steps.append(copied)
            #expect(pages > 4000)
            #expect(throws: Never.self) { try other.run("INSERT INTO ballast VALUES (x'00')") }
        }
        #expect(steps.count > 1 && steps == steps.sorted(), "it never began anew")
        let copied = try Connection(path: copy, mode: .readOnly)
        #expect(try copied.first("SELECT count(*) FROM ballast") { $0.integer(0) } == 64)
        #expect(try copied.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
    }

    @Test func nothingIsOverwritten() async throws {
        await (try test.openSQLite()).close()
        try Data("theirs".utf8).write(to: URL(filePath: copy))
        #expect(throws: SQLiteFile.BackupFailure.exists) { try file.backUp(to: copy) }
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "theirs")
    }

    @Test func aCopyThatCannotBeMadeLeavesNothing() async throws {
        await (try test.openSQLite()).close()
        let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect { try file.backUp(to: folder.file("none/copy.db")) } throws: { error in
            guard case SQLiteFile.BackupFailure.failed(.unwritable(let why)) = error else { return false }
            return why.contains("folder")
        }
        #expect(throws: SQLiteFile.BackupFailure.self) {
            try SQLiteFile(path: folder.file("no.db")).backUp(to: copy)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before.sorted())
    }

    @Test func anotherProgramsDatabaseIsNotCopied() throws {
        let other = try Connection(path: test.path, mode: .createPrivate)
        try other.execute("CREATE TABLE theirs (a)")
        #expect(throws: SQLiteFile.BackupFailure.self) { try file.backUp(to: copy) }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }
}
