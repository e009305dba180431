import Provisioning
import Storage
import Testing

@Suite("Every store keeps cards as promised")
struct CardContractTests {
    @Test(arguments: StoreKind.all)
    func aCardIsCreatedWholeAndReadBack(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            var draft = CardDraft.sample()
            draft.binding?.providerCardholderID = "holder_1"
            draft.binding?.productID = "product_1"
            let expected = StoredCard(
                key: .rides("card_1"), cardholderID: "user_1", cardholderName: "Zoë 山田 👩🏽‍🚀", title: "Rides",
                artURL: "https://art.example/1.png", metadata: #"{"plan":"gold"}"#,
                bindings: [StoredBinding(card: try #require(draft.binding))], createdAt: Moment.start,
                updatedAt: Moment.start)
            #expect(try await store.putCard(draft, audit: .backend) == .created(expected))
            #expect(try await store.card(.rides("card_1")) == expected)
            await store.close()
            #expect(try await test.open().card(.rides("card_1")) == expected)
        }
    }

    @Test(arguments: StoreKind.all)
    func aNewCardNamesWhatItLacks(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            let result = try await store.putCard(.change(), audit: .backend)
            #expect(result == .incomplete(["/binding", "/cardholder/id", "/cardholder/name"]))
            var draft = CardDraft.sample()
            draft.cardholderName = nil
            #expect(try await store.putCard(draft, audit: .backend) == .incomplete(["/cardholder/name"]))
            #expect(try await store.card(.rides("card_1")) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func anUpdateChangesWhatItHoldsAndLeavesTheRest(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            guard case .created(var card) = try await store.putCard(.sample(), audit: .backend) else {
                Issue.record("not created")
                return
            }
            var change = CardDraft.change(at: Moment.after(5))
            change.title = "Commute"
            change.cardholderName = "Zoë"
            card.title = "Commute"
            card.cardholderName = "Zoë"
            card.updatedAt = Moment.after(5)
            #expect(try await store.putCard(change, audit: .backend) == .updated(card))
            #expect(try await store.card(card.key) == card)
        }
    }

    @Test(arguments: StoreKind.all)
    func aDraftThatChangesNothingLeavesTheTimeOfTheLastChange(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            guard case .created(let card) = try await store.putCard(.sample(), audit: .backend) else {
                Issue.record("not created")
                return
            }
            #expect(try await store.putCard(.sample(at: Moment.after(9)), audit: .backend) == .updated(card))
        }
    }

    @Test(arguments: StoreKind.all)
    func theSameBindingWithFewerMembersIsTheSame(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            var draft = CardDraft.sample()
            draft.binding?.providerCardholderID = "holder_1"
            guard case .created(let card) = try await store.putCard(draft, audit: .backend) else {
                Issue.record("not created")
                return
            }
            #expect(try await store.putCard(.sample(), audit: .backend) == .updated(card))
        }
    }

    @Test(arguments: StoreKind.all)
    func anyOtherBindingIsAConflictAndChangesNothing(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            guard case .created(let card) = try await store.putCard(.sample(), audit: .backend) else {
                Issue.record("not created")
                return
            }
            let changes: [(inout CardBinding) -> Void] = [
                { $0.providerCardID = "card_other" }, { $0.connection = "increase_other" }, { $0.last4 = "0000" },
                { $0.network = .amex }, { $0.providerCardholderID = "holder" }, { $0.productID = "product" },
            ]
            for change in changes {
                var draft = CardDraft.sample(at: Moment.after(1))
                draft.title = "Changed"
                var binding = CardBinding.increase("card_card_1")
                change(&binding)
                draft.binding = binding
                #expect(try await store.putCard(draft, audit: .backend) == .bindingConflict, "\(binding)")
            }
            #expect(try await store.card(card.key) == card)
        }
    }

    @Test(arguments: StoreKind.all)
    func aCardIsFoundForItsCardholderAlone(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            let card = try #require(try await store.card(.rides("card_1")))
            for _ in 0..<2 {
                #expect(try await store.card(.rides("card_1"), ofCardholder: "user_1") == card)
                for stranger in ["user_2", "", "USER_1"] {
                    #expect(try await store.card(.rides("card_1"), ofCardholder: stranger) == nil)
                }
                #expect(try await store.card(.rides("card_2"), ofCardholder: "user_1") == nil)
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func aProcessorsCardHasOneOwnerOverAllPrograms(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample("a", provider: "card_x"), audit: .backend)
            let sameProgram = CardDraft.sample("b", provider: "card_x")
            #expect(try await store.putCard(sameProgram, audit: .backend) == .bindingConflict)
            let otherProgram = CardDraft.sample("a", program: "meals", provider: "card_x")
            #expect(try await store.putCard(otherProgram, audit: .backend) == .boundElsewhere)
            #expect(try await store.card(CardKey(program: "meals", id: "a")) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func oneOfManyConcurrentCardsGetsTheBinding(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let stores = [try await test.open(), try await test.open()]
            let created = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let draft = CardDraft.sample("c\(number)", program: "p\(number % 4)", provider: "card_x")
                        let result = try await stores[number % 2].putCard(draft, audit: .backend)
                        if case .created = result { return true }
                        return false
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(created == 1)
            for store in stores { await store.close() }
        }
    }

    @Test(arguments: StoreKind.all)
    func cardsOfOtherProgramsAreUnknown(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            #expect(try await store.card(CardKey(program: "meals", id: "card_1")) == nil)
            #expect(try await store.eraseCard(CardKey(program: "meals", id: "card_1"), audit: .backend) == false)
            #expect(try await store.cards(CardQuery(program: "meals", page: PageRequest())).elements.isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func anErasedCardIsGoneAndItsIdCanBeCreatedAnew(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(provider: "card_card_1"), audit: .backend)
            #expect(try await store.reserve(.sample()) == .reserved)
            #expect(try await store.eraseCard(.rides("card_1"), audit: .backend))
            #expect(try await store.card(.rides("card_1")) == nil)
            #expect(try await store.eraseCard(.rides("card_1"), audit: .backend) == false)
            let record = try await store.provisioning("prov_1", program: "rides")
            #expect(record?.card == .rides("card_1"))
            #expect(record?.providerCardID == "")
            let elsewhere = CardDraft.sample("other", program: "meals", provider: "card_card_1")
            guard case .created = try await store.putCard(elsewhere, audit: .backend) else {
                Issue.record("the processor's card is not free again")
                return
            }
            guard case .created = try await store.putCard(.sample(provider: "card_new"), audit: .backend) else {
                Issue.record("the id is not free again")
                return
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func pagesShowEveryCardOnceInOrderOfCreation(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            let count = 1050
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask { _ = try await store.putCard(.sample("c\(number)"), audit: .backend) }
                }
                try await group.waitForAll()
            }
            var seen: [String] = []
            var cursor: String?
            var sizes: Set<Int> = []
            repeat {
                let query = CardQuery(program: "rides", page: PageRequest(limit: 100, cursor: cursor))
                let page = try await store.cards(query)
                seen += page.elements.map(\.key.id)
                sizes.insert(page.elements.count)
                cursor = page.nextCursor
                // A card that comes in between belongs to the end and moves nothing.
                _ = try await store.putCard(.sample("late\(seen.count)"), audit: .backend)
            } while cursor != nil && seen.count < 2000
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen).isSuperset(of: (0..<count).map { "c\($0)" }))
            #expect(sizes.isSubset(of: [100, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60]))
        }
    }

    @Test(arguments: StoreKind.all)
    func cardsAreFoundByCardholderAndConnection(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for (id, cardholder) in [("a", "user_1"), ("b", "user_2"), ("c", "user_1")] {
                _ = try await store.putCard(.sample(id, cardholder: cardholder), audit: .backend)
            }
            var other = CardDraft.sample("d", cardholder: "user_1")
            other.binding?.connection = "increase_other"
            _ = try await store.putCard(other, audit: .backend)
            func ids(_ connection: String?, _ cardholder: String?) async throws -> [String] {
                let query = CardQuery(
                    program: "rides", connection: connection, cardholderID: cardholder, page: PageRequest())
                return try await store.cards(query).elements.map(\.key.id)
            }
            #expect(try await ids(nil, nil) == ["a", "b", "c", "d"])
            #expect(try await ids(nil, "user_1") == ["a", "c", "d"])
            #expect(try await ids("increase_main", nil) == ["a", "b", "c"])
            #expect(try await ids("increase_main", "user_1") == ["a", "c"])
            #expect(try await ids("nowhere", "user_1") == [])
        }
    }

    @Test(arguments: StoreKind.all, ["", "x", "AAAA", "Y2FyZHM", "cGFnZQ==", "日本", String(repeating: "A", count: 999)])
    func aCursorOfOnesOwnMakingIsRefused(_ kind: StoreKind, _ cursor: String) async throws {
        try await kind.with { test in
            let store = try await test.open()
            let page = PageRequest(limit: 1, cursor: cursor)
            await #expect(throws: StoreFailure.invalidCursor) {
                try await store.cards(CardQuery(program: "rides", page: page))
            }
            await #expect(throws: StoreFailure.invalidCursor) {
                try await store.provisionings(ProvisioningQuery(program: "rides", page: page))
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func aCursorOfAnotherListIsRefused(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for id in ["a", "b"] { _ = try await store.putCard(.sample(id), audit: .backend) }
            let cards = try await store.cards(CardQuery(program: "rides", page: PageRequest(limit: 1)))
            let page = PageRequest(limit: 1, cursor: cards.nextCursor)
            await #expect(throws: StoreFailure.invalidCursor) {
                try await store.provisionings(ProvisioningQuery(program: "rides", page: page))
            }
        }
    }
}
