import Provisioning
import Storage
import Testing

@Suite("Every store keeps webhooks until they are read, and applies each once")
struct InboundContractTests {
    @Test(arguments: StoreKind.all)
    func w19FiftyAtOnceAreOne(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let stores = [try await test.open(), try await test.open()]
            let news = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<50 {
                    let store = stores[number % 2]
                    group.addTask { try await store.receive(.sample()) }
                }
                return try await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(news.count { $0 } == 1)
            let claimed = try await stores[0].claim(InboundClaim.sample(after: 0))
            #expect(claimed.map(\.key) == ["evt_1"])
        }
    }

    @Test(arguments: StoreKind.all)
    func eachConnectionHasItsOwnKeys(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            #expect(try await store.receive(.sample("evt_1")))
            #expect(try await store.receive(.sample("evt_1", connection: "other_main")))
            #expect(try await !store.receive(.sample("evt_1", after: 500)))
        }
    }

    @Test(arguments: StoreKind.all)
    func whatWasTakenInIsThereAfterARestart(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            #expect(try await store.receive(.sample("evt_1", body: "sealed body")))
            await store.close()
            let claimed = try await test.open().claim(InboundClaim.sample("two", after: 10))
            #expect(
                claimed == [
                    ClaimedDelivery(
                        connection: "increase_main", key: "evt_1", receivedAt: Moment.start,
                        sealedBody: "sealed body", tries: 0)
                ])
        }
    }

    @Test(arguments: StoreKind.all)
    func oneInstanceReadsADeliveryUntilItsLeaseRunsOut(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let (store, other) = (try await test.open(), try await test.open())
            for key in ["evt_1", "evt_2"] { _ = try await store.receive(.sample(key)) }
            #expect(try await store.claim(InboundClaim.sample(after: 0, limit: 1)).map(\.key) == ["evt_1"])
            #expect(try await other.claim(InboundClaim.sample("two", after: 10)).map(\.key) == ["evt_2"])
            #expect(try await other.claim(InboundClaim.sample("two", after: 20)).isEmpty)
            // The first instance is gone.
            #expect(try await other.claim(InboundClaim.sample("two", after: 60_001)).map(\.key) == ["evt_1"])
            try await store.finish(InboundEnd.sample(after: 60_002))
            try await other.finish(
                InboundEnd.sample(holder: "two", after: 60_003, .again(at: Moment.start, counts: true)))
            #expect(try await other.claim(InboundClaim.sample("two", after: 60_004)).map(\.tries) == [1])
        }
    }

    @Test(arguments: StoreKind.all)
    func aConnectionCanBeLeftToWait(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for connection in ["a_main", "a_main_2", "main"] {
                _ = try await store.receive(.sample("evt_\(connection)", connection: connection))
            }
            var claim = InboundClaim.sample(after: 0)
            claim.except = ["a_main", "other"]
            #expect(try await store.claim(claim).map(\.connection) == ["a_main_2", "main"])
            claim.except = []
            #expect(try await store.claim(claim).map(\.connection) == ["a_main"])
        }
    }

    @Test(arguments: StoreKind.all)
    func whatHasEndedIsNeverReadAgain(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            let outcomes: [InboundEnd.Outcome] = [.applied, .unmatched, .irrelevant, .failed]
            for (number, outcome) in outcomes.enumerated() {
                _ = try await store.receive(.sample("evt_\(number)"))
                _ = try await store.claim(InboundClaim.sample(after: 0))
                try await store.finish(InboundEnd.sample("evt_\(number)", after: 1, outcome))
                #expect(try await !store.receive(.sample("evt_\(number)")))
            }
            _ = try await store.receive(.sample("evt_bodiless", body: nil))
            #expect(try await store.claim(InboundClaim.sample(after: 3_600_000)).isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func aReportEndsItsDeliveryAndHasNoEffectForWhoDoesNotHoldIt(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            _ = try await store.receive(.sample())
            let report = TokenReport.sample(.sample(), observedAfter: 6000, delivery: .sample(after: 6001))
            #expect(try await store.settle(report).tokens.isEmpty)
            _ = try await store.claim(InboundClaim.sample(after: 10))
            #expect(try await store.settle(report).tokens.count == 1)
            #expect(try await store.claim(InboundClaim.sample(after: 3_600_000)).isEmpty)
            #expect(try await store.settle(report).tokens.isEmpty)
            #expect(try await store.events(.rides()).elements.count == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func aDeliveryThatComesBeforeItsAttemptHasEndedIsReadAgain(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            #expect(try await store.reserve(.sample()) == .reserved)
            _ = try await store.receive(.sample())
            _ = try await store.claim(InboundClaim.sample(after: 10))
            let report = TokenReport.sample(
                .sample(after: 300), observedAfter: 300, receivedAfter: 400, delivery: .sample(after: 400))
            #expect(try await store.settle(report).isTooEarly)
            #expect(try await store.claim(InboundClaim.sample(after: 2399)).isEmpty)
            #expect(try await store.claim(InboundClaim.sample(after: 2400)).map(\.tries) == [0])
        }
    }

    @Test(arguments: StoreKind.all)
    func oneWebhookIsOneTokenEvent(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            let tokens = (0..<3).map { TokenSighting.sample("token_\($0)", after: 5000 + Int64($0)) }
            _ = try await store.settle(.sample(tokens[0], tokens[1], tokens[2], observedAfter: 6000))
            #expect(try await store.events(.rides()).elements.count == 1)
            let query = TokenQuery(card: .rides("card_1"), page: PageRequest())
            #expect(try await store.tokens(query).elements.count == 3)
        }
    }

    @Test(arguments: StoreKind.all)
    func theCardOfADeliveryIsFoundByItsIdOrItsToken(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            _ = try await store.settle(.sample(.sample(), observedAfter: 6000))
            func found(_ card: String?, _ token: String?, at connection: String = "increase_main") async throws
                -> String?
            {
                let found = try await store.card(ofProviderCard: card, orToken: token, at: connection)
                return found.map { "\($0.card.id) \($0.providerCardID)" }
            }
            #expect(try await found("card_card_1", nil) == "card_1 card_card_1")
            #expect(try await found(nil, "token_1") == "card_1 card_card_1")
            #expect(try await found("card_replaced", "token_1") == "card_1 card_replaced")
            #expect(try await found("card_x", "token_x") == nil)
            #expect(try await found(nil, nil) == nil)
            #expect(try await found("card_card_1", "token_1", at: "other_main") == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func keysAreKeptForAWeek(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.receive(.sample())
            try await store.sweep(at: Moment.after(7 * Moment.day), retention: Retention())
            #expect(try await !store.receive(.sample()))
            try await store.sweep(at: Moment.after(7 * Moment.day + 1), retention: Retention())
            #expect(try await store.receive(.sample()))
        }
    }
}
