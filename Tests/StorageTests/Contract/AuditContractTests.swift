import Provisioning
import Storage
import Testing

@Suite("Every store keeps an audit trail as promised")
struct AuditContractTests {
    @Test(arguments: StoreKind.all)
    func everyChangeOfACardIsOneLinkedEntry(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            var change = CardDraft.change()
            change.title = "Commute"
            _ = try await store.putCard(change, audit: AuditActor(name: "other"))
            _ = try await store.putCard(change, audit: .backend)
            #expect(try await store.eraseCard(.rides("card_1"), audit: .backend))
            let entries = try await store.auditEntries(program: "rides", after: 0, limit: 100)
            #expect(entries.map(\.action) == ["card.created", "card.updated", "card.erased"])
            #expect(entries.map(\.sequence) == [1, 2, 3])
            #expect(entries.map(\.actor) == ["backend", "other", "backend"])
            #expect(entries.allSatisfy { $0.subject == "card_1" })
            #expect(entries[1].before.map(\.name) == ["title"] && entries[1].after.map(\.name) == ["title"])
            #expect(AuditChain.sample.firstBreak(in: entries) == nil)
            let rest = try await store.auditEntries(program: "rides", after: 1, limit: 1)
            #expect(rest == [entries[1]])
            #expect(AuditChain.sample.firstBreak(in: rest, after: entries[0]) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func theTrailHoldsNoPersonalMemberAndNoProcessorsId(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(provider: "card_secret"), audit: .backend)
            let entry = try #require(try await store.auditEntries(program: "rides", after: 0, limit: 1).first)
            let plain = entry.after.filter { !$0.isDigest }
            #expect(Set(plain.map(\.value)) == ["active", "visa"])
            let digests = entry.after.filter(\.isDigest)
            #expect(digests.count == 7 && digests.allSatisfy { $0.value.utf8.count == 43 })
        }
    }

    @Test(arguments: StoreKind.all)
    func everyProgramHasATrailOfItsOwn(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for program in ["rides", "meals", "rides"] {
                let id = "card_\(program)\(program == "rides" ? "1" : "2")"
                _ = try await store.putCard(.sample(id, program: program), audit: .backend)
            }
            for program in ["rides", "meals"] {
                let entries = try await store.auditEntries(program: program, after: 0, limit: 9)
                #expect(entries.map(\.sequence) == [1], "the same draft again is no change")
                #expect(AuditChain.sample.firstBreak(in: entries) == nil)
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func twoInstancesContinueOneChain(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let stores = [try await test.open(), try await test.open()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<30 {
                    group.addTask { _ = try await stores[number % 2].putCard(.sample("c\(number)"), audit: .backend) }
                }
                try await group.waitForAll()
            }
            let entries = try await stores[0].auditEntries(program: "rides", after: 0, limit: 100)
            #expect(entries.count == 30 && AuditChain.sample.firstBreak(in: entries) == nil)
        }
    }

    @Test func aChangedMovedOrMissingEntryIsFound() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteUnderTest(path: folder.file("a.db")).openSQLite()
        for id in ["a", "b", "c"] { _ = try await store.putCard(.sample(id), audit: .backend) }
        let entries = try await store.auditEntries(program: "rides", after: 0, limit: 9)
        let second = entries[1]
        let changed = StoredAuditEntry(
            program: second.program, sequence: 2, at: second.at, actor: "mallory", action: second.action,
            subject: second.subject, before: second.before, after: second.after, digest: second.digest)
        let chain = AuditChain.sample
        #expect(chain.firstBreak(in: [entries[0], changed, entries[2]]) == 2)
        #expect(chain.firstBreak(in: [entries[0], entries[2]]) == 2)
        #expect(chain.firstBreak(in: [entries[1], entries[0], entries[2]]) == 1)
    }
}
