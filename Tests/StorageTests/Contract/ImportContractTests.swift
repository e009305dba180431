import Provisioning
import Storage
import Testing

@Suite("Every store takes many cards in at once")
struct ImportContractTests {
    private static func part(
        _ drafts: [CardDraft], refused: Int = 0, digest: String = "digest", id: String = "imp_1",
        at: Timestamp = Moment.start
    ) -> CardImportPart {
        CardImportPart(
            id: id, program: "rides", actor: .backend, drafts: drafts, refusedLines: refused, digest: digest, at: at)
    }

    private static func words(_ results: [PutCardResult]) -> [String] {
        results.map { result in
            switch result {
            case .created: "created"
            case .updated: "updated"
            case .incomplete: "incomplete"
            case .bindingConflict: "conflict"
            case .boundElsewhere: "elsewhere"
            }
        }
    }

    private static func entries(_ store: any AuditTrail) async throws -> [StoredAuditEntry] {
        try await store.auditEntries(program: "rides", after: 0, limit: 99)
    }

    @Test(arguments: StoreKind.all)
    func whatIsRefusedKeepsNoneOfTheOthersBack(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample("card_f", program: "meals"), audit: .backend)
            var later = CardDraft.change("card_1")
            later.title = "Later"
            let results = try await store.importCards(
                Self.part([
                    .sample("card_1"), .sample("card_2", provider: "card_card_1"),
                    .sample("card_3", provider: "card_card_f"), .change("card_4"), .sample("card_5"), later,
                    .sample("card_5"),
                ]))
            #expect(
                Self.words(results) == [
                    "created", "conflict", "elsewhere", "incomplete", "created", "updated", "updated",
                ])
            #expect(try await store.card(.rides("card_1"))?.title == "Later", "of one card the later line counts")
            #expect(try await store.card(.rides("card_5")) != nil)
            #expect(try await store.card(.rides("card_2")) == nil)
            #expect(try await store.events(.rides()).elements.isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func allItsPartsAreOneEntryOfTheTrail(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.importCards(
                Self.part([.sample("card_1"), .sample("card_2")], refused: 1, digest: "one"))
            let other = try await test.open()
            _ = try await other.importCards(
                Self.part([.sample("card_2"), .change("card_9")], refused: 2, digest: "two"))
            #expect(try await Self.entries(store).isEmpty)
            try await store.endImport("imp_1", isWhole: true, at: Moment.after(7))
            try await store.endImport("imp_1", isWhole: true, at: Moment.after(8))
            let entries = try await Self.entries(store)
            #expect(entries.count == 1)
            let entry = try #require(entries.first)
            #expect(entry.action == "cards.imported" && entry.subject == "imp_1" && entry.actor == "backend")
            #expect(
                entry.after.map { "\($0.name)=\($0.value)" } == [
                    "imported=2", "updated=1", "failed=4", "end=whole", "lines=two",
                ])
            #expect(AuditChain.sample.firstBreak(in: entries) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func oneThatBreaksOffIsInTheTrailOnceItHasBeenSilent(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.importCards(Self.part([.sample("card_1")]))
            await store.close()
            let next = try await test.open()
            try await next.sweep(at: Moment.after(10 * 60_000), retention: Retention())
            #expect(try await Self.entries(next).isEmpty)
            try await next.sweep(at: Moment.after(16 * 60_000), retention: Retention())
            let entry = try #require(try await Self.entries(next).first)
            #expect(entry.after.contains(AuditMember(name: "end", value: "broken_off", isDigest: false)))
            #expect(entry.after.contains(AuditMember(name: "imported", value: "1", isDigest: false)))
            try await next.sweep(at: Moment.after(99 * 60_000), retention: Retention())
            #expect(try await Self.entries(next).count == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func oneThatStoresNothingIsNoEntry(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.importCards(Self.part([.change("card_1")], refused: 3))
            try await store.endImport("imp_1", isWhole: true, at: Moment.start)
            try await store.endImport("imp_2", isWhole: true, at: Moment.start)
            #expect(try await Self.entries(store).isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func aCardThatWasReadLatelyIsNotServedAsItWas(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            _ = try await store.card(.rides("card_1"))
            var change = CardDraft.change()
            change.cardholderID = "user_2"
            _ = try await store.importCards(Self.part([change]))
            #expect(store.recentCard(.rides("card_1")) == nil)
        }
    }
}
