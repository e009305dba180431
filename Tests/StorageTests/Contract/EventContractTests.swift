import Provisioning
import Storage
import Testing

@Suite("Every store writes an event for each change, in order")
struct EventContractTests {
    private func withCards(
        _ kind: StoreKind, _ count: Int = 2, _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for number in 1...count { _ = try await store.putCard(.sample("card_\(number)"), audit: .backend) }
            try await body(store, test)
        }
    }

    private static func attempt(_ id: String, card: String = "card_1", _ store: any Store) async throws {
        let record = StoredProvisioning.sample(id, card: card)
        #expect(try await store.reserve(.sample(record, digest: Array(id.utf8))) == .reserved)
    }

    @Test(arguments: StoreKind.all)
    func anAttemptsWayIsTold(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await Self.attempt("prov_a", store)
            var ended = StoredProvisioning.sample("prov_a").ended(.handedOff)
            ended.deliveredAt = ended.updatedAt
            try await store.complete(ProvisioningCompletion(ended))
            let report = DeviceReport(
                id: "prov_a", program: "rides", result: .added, code: nil, domain: nil, at: Moment.after(2000))
            for _ in 0..<2 { _ = try await store.note(report) }
            let events = try await store.events(.rides()).elements
            #expect(events.map(\.type) == ["provisioning.handed_off", "provisioning.added"])
            let told = Dictionary(uniqueKeysWithValues: (events.last?.members ?? []).map { ($0.name, $0.value) })
            #expect(told["id"] == "prov_a" && told["status"] == "added" && told["previous_status"] == "handed_off")
            #expect(told["settled_by"] == "device" && told["wallet"] == "apple_pay")
            #expect(events.last?.createdAt == Moment.after(2000))
        }
    }

    @Test(arguments: StoreKind.all)
    func whatTheSweepGivesUpIsToldOnce(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            try await Self.attempt("prov_a", store)
            for _ in 0..<2 { try await store.sweep(at: Moment.after(60_000), retention: Retention()) }
            #expect(try await store.events(.rides()).elements.map(\.type) == ["provisioning.unknown"])
        }
    }

    @Test(arguments: StoreKind.all)
    func sequencesAreEachCardsOwnAndHaveNoGap(_ kind: StoreKind) async throws {
        try await withCards(kind, 3) { (store, test) async throws in
            let stores = [store, try await test.open()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    let (store, card) = (stores[number % 2], "card_\(number % 3 + 1)")
                    group.addTask {
                        _ = try await store.settle(
                            .sample(.sample("token_\(number)"), observedAfter: 6000, card: .rides(card)))
                    }
                }
                try await group.waitForAll()
            }
            for card in ["card_1", "card_2", "card_3"] {
                let events = try await store.events(.rides(card: card)).elements
                #expect(events.map(\.sequence) == Array(1...20))
            }
            let all = try await store.events(.rides()).elements
            #expect(Set(all.map(\.id)).count == 60)
        }
    }

    @Test(arguments: StoreKind.all)
    func eventsAreFilteredPagedAndFollowed(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            for number in 0..<5 {
                let status: TokenStatus = number % 2 == 0 ? .active : .requested
                _ = try await store.settle(
                    .sample(
                        .sample("token_\(number)", status), observedAfter: 6000,
                        card: .rides(number < 3 ? "card_1" : "card_2")))
            }
            let all = try await store.events(.rides()).elements
            #expect(all.count == 5)
            #expect(try await store.events(.rides(card: "card_2")).elements == Array(all[3...]))
            #expect(
                try await store.events(.rides(type: "token.active")).elements.map(\.id) == [0, 2, 4].map { all[$0].id })
            #expect(try await store.events(.rides(card: "card_1", type: "token.*")).elements == Array(all[..<3]))
            #expect(try await store.events(.rides(type: "provisioning.*")).elements.isEmpty)
            #expect(try await store.events(.rides(after: all[2].id)).elements == Array(all[3...]))
            #expect(try await store.events(.rides(after: all[4].id)).elements.isEmpty)
            var seen: [StoredEvent] = []
            var query = EventQuery.rides(limit: 2)
            repeat {
                let page = try await store.events(query)
                seen += page.elements
                query.page.cursor = page.nextCursor
            } while query.page.cursor != nil
            #expect(seen == all)
            #expect(try await store.event(all[1].id, program: "rides") == all[1])
            #expect(try await store.event(all[1].id, program: "meals") == nil)
            #expect(try await store.events(EventQuery(program: "meals", page: PageRequest())).elements.isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func theyAreKeptAsLongAsIsTold(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            _ = try await store.settle(.sample(.sample(), observedAfter: 6000, receivedAfter: 0))
            try await store.sweep(at: Moment.after(90 * Moment.day), retention: Retention())
            #expect(try await store.events(.rides()).elements.count == 1)
            var short = Retention()
            short.events = 1
            try await store.sweep(at: Moment.after(2 * Moment.day), retention: short)
            #expect(try await store.events(.rides()).elements.isEmpty)
            // The sequence goes on.
            _ = try await store.settle(.sample(.sample("token_1", .suspended), observedAfter: 7000))
            #expect(try await store.events(.rides()).elements.map(\.sequence) == [2])
        }
    }

    @Test func everyTypeIsWrittenAsItIsRead() {
        for type in EventType.allCases { #expect(EventType(rawValue: type.rawValue) == type) }
        #expect(EventType(rawValue: "provisioning.sending") == nil && EventType(rawValue: "token.*") == nil)
        #expect(Set(EventType.allCases.map(\.rawValue)).count == EventType.allCases.count)
    }
}
