import ProviderTesting
import Provisioning
import Storage
import Testing

@Suite("Every store keeps what processors say of tokens as promised")
struct TokenStateContractTests {
    private func withCards(
        _ kind: StoreKind, _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for id in ["card_1", "card_2"] { _ = try await store.putCard(.sample(id), audit: .backend) }
            try await body(store, test)
        }
    }

    private static func tokens(_ store: any Store, _ card: String = "card_1") async throws -> [StoredToken] {
        try await store.tokens(TokenQuery(card: .rides(card), page: PageRequest(limit: 100))).elements
    }

    @Test(arguments: StoreKind.all)
    func aTokenIsKeptWholeAndSurvives(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, test) async throws in
            var sighting = TokenSighting.sample("token_1", .unknown, raw: "pending_transitioning")
            sighting.last4 = "9341"
            sighting.networkReference = "DNITHE3021"
            sighting.device = TokenDevice(kind: "phone", name: "Zoë's phone")
            let token = try #require(try await store.settle(.sample(sighting, observedAfter: 6000)).tokens.first)
            #expect(token.id.hasPrefix("tok_") && token.card == .rides("card_1") && token.provider == "increase")
            sighting.providerCardID = "card_card_1"
            #expect(token.sighting == sighting)
            #expect(token.observedAt == Moment.after(6000) && token.createdAt == Moment.after(6001))
            await store.close()
            let later = try await test.open()
            #expect(try await later.token(token.id, program: "rides") == token)
            #expect(try await later.token(token.id, program: "meals") == nil)
            #expect(try await Self.tokens(later) == [token])
        }
    }

    @Test(arguments: StoreKind.all)
    func w18TheStateNeverGoesBackInTheProcessorsTime(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            let words: [(TokenStatus, Int64, TokenStatus)] = [
                (.requested, 10_000, .requested), (.active, 30_000, .active), (.requested, 20_000, .active),
                (.suspended, 29_999, .active), (.suspended, 31_000, .suspended), (.active, 32_000, .active),
                (.deleted, 40_000, .deleted), (.active, 39_000, .deleted),
            ]
            for (status, moment, expected) in words {
                _ = try await store.settle(
                    .sample(.sample("token_1", status), observedAfter: moment, receivedAfter: 50_000))
                #expect(try await Self.tokens(store).map(\.sighting.status) == [expected], "\(status) as of \(moment)")
            }
            let events = try await store.events(.rides(type: "token.*")).elements
            #expect(
                events.map(\.type) == [
                    "token.requested", "token.active", "token.suspended", "token.active", "token.deleted",
                ])
            #expect(events.map(\.sequence) == [1, 2, 3, 4, 5])
        }
    }

    @Test(arguments: StoreKind.all)
    func whereTheProcessorsClockDoesNotTellThemApartATokenDoesNotGoBack(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            for status in [TokenStatus.active, .requested, .unknown] {
                _ = try await store.settle(
                    .sample(
                        .sample("token_1", status, after: 5000, precision: 1000), observedAfter: 6000,
                        receivedAfter: 7000))
                #expect(try await Self.tokens(store).map(\.sighting.status) == [.active])
            }
            _ = try await store.settle(
                .sample(.sample("token_1", .deleted, after: 5000, precision: 1000), observedAfter: 6000))
            #expect(try await Self.tokens(store).map(\.sighting.status) == [.deleted])
        }
    }

    @Test(arguments: StoreKind.all, [TokenStatus.deleted, .declined])
    func noWebhookBringsBackWhatIsGoneForGood(_ kind: StoreKind, _ final: TokenStatus) async throws {
        try await withCards(kind) { (store, _) async throws in
            _ = try await store.settle(.sample(.sample("token_1", final), observedAfter: 6000))
            for (number, status) in [TokenStatus.active, .suspended, .requested, .unknown].enumerated() {
                _ = try await store.settle(
                    .sample(.sample("token_1", status), observedAfter: 7000 + Int64(number)))
                #expect(try await Self.tokens(store).map(\.sighting.status) == [final], "\(status)")
            }
            #expect(try await store.events(.rides(type: "token.*")).elements.count == 1)
            // Whoever is asked knows best, and what follows is compared with that.
            _ = try await store.settle(.sample(.sample(), observedAfter: 9000, source: .probe))
            #expect(try await Self.tokens(store).map(\.sighting.status) == [.active])
        }
    }

    @Test(arguments: StoreKind.all)
    func anAnswerThatWasAskedForAfterTheLastChangeIsTheNewest(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            // The processor's clock is 40 s ahead of ours.
            _ = try await store.settle(.sample(.sample(), observedAfter: 60_000, receivedAfter: 20_000))
            let answer = TokenSighting.sample("token_1", .suspended)
            _ = try await store.settle(.sample(answer, observedAfter: 19_000, source: .probe))
            #expect(
                try await Self.tokens(store).map(\.sighting.status) == [.active], "asked before, so it may be older")
            let settled = try await store.settle(.sample(answer, observedAfter: 21_000, source: .probe))
            #expect(settled.tokens.map(\.sighting.status) == [.suspended])
            _ = try await store.settle(.sample(.sample(), observedAfter: 59_000, receivedAfter: 22_000))
            #expect(try await Self.tokens(store).map(\.sighting.status) == [.suspended])
        }
    }

    @Test(arguments: StoreKind.all)
    func anyOrderEndsInTheLatestWord(_ kind: StoreKind) async throws {
        var random = DeterministicRandom(seed: 4)
        for _ in 0..<8 {
            let words = (1...6).map { number in
                (
                    status: [TokenStatus.requested, .active, .suspended, .unknown].randomElement(using: &random)
                        ?? .active,
                    at: Int64(number) * 1000
                )
            }
            let order = words.shuffled(using: &random)
            try await withCards(kind) { (store, _) async throws in
                for (status, moment) in order {
                    _ = try await store.settle(
                        .sample(.sample("token_1", status), observedAfter: moment, receivedAfter: 60_000))
                }
                #expect(try await Self.tokens(store).map(\.sighting.status) == [words[5].status])
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func aTokenMovesToTheCardThatItsProcessorNames(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            let first = try await store.settle(.sample(.sample(), observedAfter: 6000)).tokens
            let moved = try await store.settle(.sample(.sample(), observedAfter: 7000, card: .rides("card_2"))).tokens
            #expect(first.map(\.id) == moved.map(\.id))
            #expect(moved.map(\.providerCardID) == ["card_card_2"])
            #expect(try await Self.tokens(store).isEmpty)
            #expect(try await Self.tokens(store, "card_2") == moved)
            let events = try await store.events(.rides(card: "card_2")).elements
            #expect(events.map(\.type) == ["token.card_changed"] && events.map(\.sequence) == [1])
            // What is older moves nothing back.
            _ = try await store.settle(.sample(.sample(), observedAfter: 6500))
            #expect(try await Self.tokens(store, "card_2") == moved)
        }
    }

    @Test(arguments: StoreKind.all)
    func detailsThatAreToldOnceAreKept(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            var first = TokenSighting.sample()
            first.device = TokenDevice(kind: "watch", name: nil)
            first.last4 = "1234"
            _ = try await store.settle(.sample(first, observedAfter: 6000))
            var later = TokenSighting.sample("token_1", .suspended, after: 9000)
            later.wallet = nil
            let token = try await store.settle(.sample(later, observedAfter: 7000)).tokens.first
            #expect(token?.sighting.device?.kind == "watch" && token?.sighting.last4 == "1234")
            #expect(token?.sighting.wallet == .applePay && token?.sighting.createdAt == Moment.after(5000))
        }
    }

    @Test(arguments: StoreKind.all)
    func aTokenTellsWhichAttemptItCameFrom(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            let record = StoredProvisioning.sample("prov_a")
            #expect(try await store.reserve(.sample(record)) == .reserved)
            let early = try await store.settle(.sample(.sample(), observedAfter: 600))
            #expect(early.isTooEarly && early.tokens.first?.provisioning == nil)
            var ended = record.ended(.handedOff)
            ended.sentAt = record.createdAt
            ended.deliveredAt = ended.updatedAt
            try await store.complete(ProvisioningCompletion(ended))
            let late = try await store.settle(.sample(.sample(), observedAfter: 600, receivedAfter: 3000))
            #expect(!late.isTooEarly && late.attempts.map(\.status) == [.active])
            #expect(late.tokens.map(\.provisioning) == ["prov_a"])
            #expect(try await Self.tokens(store) == late.tokens)
            let types = try await store.events(.rides()).elements.map(\.type)
            #expect(types == ["token.active", "provisioning.handed_off", "provisioning.active"])
        }
    }

    @Test(arguments: StoreKind.all)
    func ofACardThatIsGoneNothingIsKept(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            let token = try #require(try await store.settle(.sample(.sample(), observedAfter: 6000)).tokens.first)
            _ = try await store.eraseCard(.rides("card_1"), audit: .backend)
            #expect(try await store.token(token.id, program: "rides") == nil)
            #expect(try await store.settle(.sample(.sample(), observedAfter: 7000)).tokens.isEmpty)
            // Events stay, under the platform's own name of the card, and the sequence goes on.
            _ = try await store.putCard(.sample(provider: "card_new"), audit: .backend)
            _ = try await store.settle(
                .sample(.sample("token_2"), observedAfter: 8000, providerCardID: "card_new"))
            #expect(try await store.events(.rides()).elements.map(\.sequence) == [1, 2])
        }
    }

    @Test(arguments: StoreKind.all)
    func tokensCanBePaged(_ kind: StoreKind) async throws {
        try await withCards(kind) { (store, _) async throws in
            for number in 0..<7 {
                _ = try await store.settle(.sample(.sample("token_\(number)"), observedAfter: 6000 + Int64(number)))
            }
            var seen: [String] = []
            var cursor: String?
            repeat {
                let page = try await store.tokens(
                    TokenQuery(card: .rides("card_1"), page: PageRequest(limit: 3, cursor: cursor)))
                seen += page.elements.map(\.sighting.id)
                cursor = page.nextCursor
            } while cursor != nil
            #expect(seen == (0..<7).map { "token_\($0)" })
        }
    }
}
