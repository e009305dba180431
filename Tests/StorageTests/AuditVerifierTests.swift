import Crypto
import Provisioning
import SQLite
import SecretMemory
import Testing

@testable import Storage

@Suite("The audit trail shows what was done to it")
struct AuditVerifierTests {
    private static let secrets = ["a root secret of thirty-two bytes", "another root secret, of as many!!"].map {
        SecretBytes(utf8: $0)
    }

    private static func chain(_ indices: Int...) throws -> AuditChain {
        AuditChain(try KeyRing(indices.map { secrets[$0] }))
    }

    /// A trail of twelve entries in a file; `change` is run on it with what keeps entries as they are taken off.
    private func report(
        of change: String, head: ((AuditHead) -> AuditHead)? = nil, with chain: AuditChain? = nil
    ) async throws -> AuditReport {
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        let store = try SQLiteStore(path: path, audit: Self.chain(0)) { Moment.start }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...12 {
                group.addTask { _ = try await store.putCard(.sample("card_\(number)"), audit: .backend) }
            }
            try await group.waitForAll()
        }
        let last = try #require(try await store.auditHeads().first)
        await store.close()
        let connection = try Connection(path: path, mode: .readWrite)
        try connection.execute("DROP TRIGGER audit_keeps_entries; DROP TRIGGER audit_loses_nothing; \(change)")
        connection.close()
        let reopened = try SQLiteStore(path: path, audit: Self.chain(0)) { Moment.start }
        let report = try await reopened.verify(
            program: "rides", with: try chain ?? Self.chain(0), head: head.map { $0(last) })
        await reopened.close()
        return report
    }

    private static func words(_ report: AuditReport) -> [String] {
        report.findings.map { "\($0.place): \($0.fault.word)" }
    }

    @Test func aTrailThatNobodyTouchedIsWhole() async throws {
        let report = try await report(of: "", head: { $0 })
        #expect(report.isWhole && report.entries == 12 && report.head?.sequence == 12)
    }

    @Test(arguments: [
        "actor = 'mallory'", "action = 'card.erased'", "subject = 'card_x'", "at = at + 1", "after = before",
        "before = x''", "after = substr(after, 1, length(after) - 1)", "after = x'ffffffffffffffffff'",
        "digest = zeroblob(length(digest))",
        "digest = CAST(substr(digest, 1, 6) || 'a digest of thirty-two bytes, no?' AS BLOB)",
    ])
    func anEntryThatWasChangedIsNamed(column: String) async throws {
        let words = Self.words(try await report(of: "UPDATE audit SET \(column) WHERE sequence = 5;"))
        #expect(words.first?.hasPrefix("entry 5: ") == true, "\(words)")
        #expect(words.allSatisfy { !$0.contains("entry 4") && !$0.contains("entry 7") })
    }

    @Test func entriesThatWereTakenOutAreNamed() async throws {
        #expect(Self.words(try await report(of: "DELETE FROM audit WHERE sequence = 5;")) == ["entry 5: missing"])
        let many = try await report(of: "DELETE FROM audit WHERE sequence IN (1, 2, 7, 8, 9);")
        #expect(Self.words(many) == ["entries 1 to 2: missing", "entries 7 to 9: missing"])
    }

    @Test func entriesThatWereTakenOutAndTheRestMovedUpAreFound() async throws {
        let words = Self.words(
            try await report(
                of: """
                    DELETE FROM audit WHERE sequence = 5;
                    UPDATE audit SET sequence = -sequence WHERE sequence > 5;
                    UPDATE audit SET sequence = -sequence - 1 WHERE sequence < 0;
                    """))
        #expect(words.first == "entry 5: changed" || words.first == "entry 5: moved", "\(words)")
    }

    @Test func entriesThatChangedPlacesAreNamed() async throws {
        let report = try await report(
            of: """
                UPDATE audit SET sequence = 100 WHERE sequence = 5;
                UPDATE audit SET sequence = 5 WHERE sequence = 6;
                UPDATE audit SET sequence = 6 WHERE sequence = 100;
                """)
        #expect(report.findings.map(\.fault) == [.moved(from: 6), .moved(from: 5)])
        #expect(Self.words(report) == ["entry 5: moved", "entry 6: moved"])
    }

    @Test func anEntryThatWasPutInIsNamed() async throws {
        let end = try await report(
            of: """
                INSERT INTO audit SELECT program, 13, at, 'mallory', action, subject, before, after, digest FROM audit
                WHERE sequence = 12;
                """)
        #expect(Self.words(end) == ["entry 13: changed"])
        let middle = try await report(
            of: """
                UPDATE audit SET sequence = -sequence WHERE sequence > 5;
                UPDATE audit SET sequence = 1 - sequence WHERE sequence < 0;
                INSERT INTO audit SELECT program, 6, at, 'mallory', action, subject, before, after, digest FROM audit
                WHERE sequence = 5;
                """)
        #expect(Self.words(middle).first == "entry 6: changed", "\(Self.words(middle))")
        #expect(middle.findingCount == 8)
    }

    @Test(arguments: [0, -1, Int64.min + 1] as [Int64])
    func anEntryThatWasPutInBeforeTheFirstIsNamed(sequence: Int64) async throws {
        let report = try await report(
            of: """
                INSERT INTO audit SELECT program, \(sequence), at, actor, action, subject, before, after, digest
                FROM audit WHERE sequence = 1;
                """)
        #expect(report.findings == [.init(.changed, sequence)] && report.head?.sequence == 12)
    }

    @Test func aTailThatWasCutIsFoundByTheHeadThatWasTold() async throws {
        let cut = "DELETE FROM audit WHERE sequence > 9;"
        #expect(try await report(of: cut).isWhole, "nothing that is left tells of it")
        #expect(Self.words(try await report(of: cut, head: { $0 })) == ["entries 10 to 12: cut"])
        #expect(Self.words(try await report(of: "DELETE FROM audit;", head: { $0 })) == ["entries 1 to 12: cut"])
        let other = try await report(
            of: "", head: { AuditHead(program: $0.program, sequence: 7, digest: $0.digest) })
        #expect(Self.words(other) == ["entry 7: other_head"])
    }

    @Test func theTrailGoesOnUnderAnotherRootSecret() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        for (indices, card) in [(try Self.chain(0), "a"), (try Self.chain(1, 0), "b"), (try Self.chain(1, 0), "c")] {
            let store = try SQLiteStore(path: path, audit: indices) { Moment.start }
            _ = try await store.putCard(.sample(card), audit: .backend)
            await store.close()
        }
        let store = try SQLiteStore(path: path, audit: Self.chain(1)) { Moment.start }
        #expect(try await store.verify(program: "rides", with: Self.chain(1, 0)).isWhole)
        let late = try await store.verify(program: "rides", with: Self.chain(1))
        #expect(Self.words(late) == ["entry 1: unknown_key"])
        let early = try await store.verify(program: "rides", with: Self.chain(0))
        #expect(Self.words(early) == ["entries 2 to 3: unknown_key"])
        await store.close()
    }

    @Test func headsAreReadAsTheyAreTold() throws {
        let head = AuditHead(program: "rides", sequence: 17, digest: [0, 255, 16])
        #expect(head.text == "17:00ff10" && AuditHead(head.text, program: "rides") == head)
        for text in ["", "17", ":00", "0:00", "-1:00", "17:", "17:0", "17:zz", "17:00:00"] {
            #expect(AuditHead(text, program: "rides") == nil, "\(text)")
        }
    }

    @Test func thereIsAHeadForEveryProgram() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.file("a.db"), audit: .sample) { Moment.start }
        #expect(try await store.auditHeads().isEmpty)
        for (program, count) in [("rides", 3), ("meals", 1), ("trips", 2)] {
            for number in 1...count {
                _ = try await store.putCard(.sample("\(program)_\(number)", program: program), audit: .backend)
            }
        }
        let heads = try await store.auditHeads()
        #expect(heads.map(\.program) == ["meals", "rides", "trips"] && heads.map(\.sequence) == [1, 3, 2])
        await store.close()
    }

    @Test func changesOfTokensAndDestinationsAreEntries() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore(path: folder.file("a.db"), audit: .sample) { Moment.start }
        try await store.add(.sample("dest_1"), audit: .backend)
        _ = try await store.rotate(
            SecretRotation(
                id: "dest_1", program: "rides", sealedSecret: "new", formerUntil: Moment.after(5), at: Moment.start),
            audit: .backend)
        #expect(
            try await store.removeDestination("dest_1", program: "rides", audit: .backend, at: Moment.start))
        let now = Moment.start
        _ = try await store.settle(
            TokenReport(
                card: .rides("card_1"), provider: "increase", connection: "increase_main", providerCardID: "card_1",
                source: .probe, tokens: [], observedAt: now, receivedAt: now,
                change: TokenChangeNote(
                    token: "tok_1", change: .suspend, former: .active, status: nil, actor: .backend)))
        let entries = try await store.auditEntries(program: "rides", after: 0, limit: 9)
        #expect(
            entries.map(\.action) == [
                "destination.added", "destination.secret_replaced", "destination.removed", "token.suspend",
            ])
        #expect(entries.last?.subject == "tok_1" && entries.last?.before.map(\.value) == ["active"])
        #expect(entries.last?.after.map(\.value) == ["not_told"])
        #expect(entries.allSatisfy { entry in !(entry.before + entry.after).contains { $0.value.contains("https") } })
        #expect(AuditChain.sample.firstBreak(in: entries) == nil)
        await store.close()
    }
}
