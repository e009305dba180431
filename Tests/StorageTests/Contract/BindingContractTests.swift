import Provisioning
import Storage
import Testing

@Suite("Every store keeps a card's bindings as promised")
struct BindingContractTests {
    private static func draft(
        _ id: String, at connection: String = "stripe_new", state: StoredBinding.State = .standby,
        card: String = "card_1", program: String = "rides", after milliseconds: Int64 = 10
    ) -> BindingDraft {
        BindingDraft(
            key: CardKey(program: program, id: card),
            binding: CardBinding(connection: connection, providerCardID: id, last4: "4242", network: .visa),
            state: state, providers: ["stripe_new": "stripe", "increase_main": "increase"],
            at: Moment.after(milliseconds))
    }

    private func withCard(
        _ kind: StoreKind, _ body: @Sendable (any GatewayStore, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            try await body(store, test)
        }
    }

    private static func states(_ store: any Store, _ card: String = "card_1") async throws -> [String: StoredBinding
        .State]
    {
        let bindings = try await store.card(.rides(card))?.bindings ?? []
        return Dictionary(uniqueKeysWithValues: bindings.map { ($0.card.connection, $0.state) })
    }

    private static func events(_ store: any Store) async throws -> [[String: String?]] {
        try await store.events(.rides()).elements.map { event in
            #expect(event.type == "card.binding_changed" && event.program == "rides" && event.card == "card_1")
            return Dictionary(uniqueKeysWithValues: event.members.map { ($0.name, $0.value) })
        }
    }

    @Test(arguments: StoreKind.all)
    func aStandbyBindingIsAddedBesideTheActiveOne(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            guard case .created(let card) = try await store.putBinding(Self.draft("ic_1"), audit: .backend) else {
                Issue.record("not created")
                return
            }
            #expect(card.bindings.map(\.state) == [.active, .standby] && card.updatedAt == Moment.after(10))
            #expect(try await test.open().card(.rides("card_1")) == card)
            #expect(try await store.putBinding(Self.draft("ic_1", after: 99), audit: .backend) == .updated(card))
            let events = try await Self.events(store)
            #expect(events.count == 1, "the same again is no change")
            #expect(events[0]["provider"] == "stripe" && events[0]["connection"] == "stripe_new")
            #expect(events[0]["change"] == "added" && events[0]["state"] == "standby")
            #expect(events[0]["previous_state"] == .some(nil))
            let entries = try await store.auditEntries(program: "rides", after: 0, limit: 9)
            #expect(entries.map(\.action) == ["card.created", "card.binding_changed"])
            let plain = entries[1].after.filter { !$0.isDigest }.map { "\($0.name)=\($0.value)" }
            #expect(plain == ["binding/stripe_new/state=standby", "binding/stripe_new/network=visa"])
            #expect(entries[1].before.isEmpty && AuditChain.sample.firstBreak(in: entries) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func whoIsMadeActiveIsTheOnlyOne(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            _ = try await store.putBinding(Self.draft("ic_1"), audit: .backend)
            _ = try await store.putBinding(Self.draft("ic_1", state: .active), audit: .backend)
            #expect(try await Self.states(store) == ["increase_main": .standby, "stripe_new": .active])
            let events = try await Self.events(store)
            #expect(events.map { $0["connection"] } == ["stripe_new", "increase_main", "stripe_new"])
            #expect(events.map { $0["state"] } == ["standby", "standby", "active"])
            #expect(events.map { $0["previous_state"] } == [.some(nil), "active", "standby"])
            let entry = try await store.auditEntries(program: "rides", after: 2, limit: 9).first
            #expect(entry?.before.map(\.value) == ["active", "standby"])
            #expect(entry?.after.map(\.value) == ["standby", "active"])
        }
    }

    @Test(arguments: StoreKind.all, [StoredBinding.State.standby, .retired])
    func theActiveBindingIsNotGivenUpForNone(_ kind: StoreKind, _ state: StoredBinding.State) async throws {
        try await withCard(kind) { (store, _) async throws in
            let draft = Self.draft("card_card_1", at: "increase_main", state: state)
            #expect(try await store.putBinding(draft, audit: .backend) == .leavesNoneActive(others: []))
            _ = try await store.putBinding(Self.draft("ic_1"), audit: .backend)
            #expect(try await store.putBinding(draft, audit: .backend) == .leavesNoneActive(others: ["stripe_new"]))
            #expect(try await Self.states(store) == ["increase_main": .active, "stripe_new": .standby])
            #expect(try await Self.events(store).count == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func aReplacementKeepsTheFormerIds(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            for (index, id) in ["ic_1", "ic_2", "ic_3"].enumerated() {
                _ = try await store.putBinding(Self.draft(id, after: Int64(index)), audit: .backend)
            }
            var binding = try #require(try await store.card(.rides("card_1"))?.bindings.last)
            #expect(binding.card.providerCardID == "ic_3" && binding.formerIDs == ["ic_1", "ic_2"])
            for id in ["ic_1", "ic_2", "ic_3"] {
                let found = try await store.card(ofProviderCard: id, orToken: nil, at: "stripe_new")
                #expect(found?.card == .rides("card_1"), "\(id) is forgotten")
            }
            #expect(try await Self.events(store).map { $0["change"] } == ["added", "replaced", "replaced"])
            // One of them can be taken back.
            _ = try await store.putBinding(Self.draft("ic_1", after: 9), audit: .backend)
            binding = try #require(try await test.open().card(.rides("card_1"))?.bindings.last)
            #expect(binding.card.providerCardID == "ic_1" && binding.formerIDs == ["ic_2", "ic_3"])
        }
    }

    @Test(arguments: StoreKind.all)
    func whatIsNotGivenIsLeftUnlessTheCardIsAnother(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            var draft = Self.draft("ic_1")
            draft.binding.productID = "product"
            draft.binding.providerCardholderID = "holder"
            _ = try await store.putBinding(draft, audit: .backend)
            var change = Self.draft("ic_1")
            change.binding.last4 = "0001"
            _ = try await store.putBinding(change, audit: .backend)
            var binding = try await store.card(.rides("card_1"))?.bindings.last?.card
            #expect(binding?.last4 == "0001" && binding?.productID == "product")
            #expect(binding?.providerCardholderID == "holder")
            _ = try await store.putBinding(Self.draft("ic_2"), audit: .backend)
            binding = try await store.card(.rides("card_1"))?.bindings.last?.card
            #expect(binding?.productID == nil && binding?.providerCardholderID == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func anIdHasOneOwnerForAsLongAsAnyoneKnowsIt(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            _ = try await store.putCard(.sample("card_2"), audit: .backend)
            _ = try await store.putCard(.sample("card_3", program: "meals"), audit: .backend)
            _ = try await store.putBinding(Self.draft("ic_1"), audit: .backend)
            _ = try await store.putBinding(Self.draft("ic_2"), audit: .backend)
            for id in ["ic_1", "ic_2"] {
                let own = Self.draft(id, card: "card_2")
                #expect(try await store.putBinding(own, audit: .backend) == .bindingConflict)
                let foreign = Self.draft(id, card: "card_3", program: "meals")
                #expect(try await store.putBinding(foreign, audit: .backend) == .boundElsewhere)
                var card = CardDraft.sample("card_4")
                card.binding = own.binding
                #expect(try await store.putCard(card, audit: .backend) == .bindingConflict)
            }
            let unknown = Self.draft("ic_9", card: "card_9")
            #expect(try await store.putBinding(unknown, audit: .backend) == .unknownCard)
            #expect(try await Self.states(store, "card_2") == ["increase_main": .active])
        }
    }

    @Test(arguments: StoreKind.all)
    func anUpsertWithAnyOfItsBindingsChangesNoBinding(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            _ = try await store.putBinding(Self.draft("ic_1"), audit: .backend)
            _ = try await store.putBinding(Self.draft("ic_2", state: .active), audit: .backend)
            let before = try await store.card(.rides("card_1"))
            for (connection, id) in [("increase_main", "card_card_1"), ("stripe_new", "ic_2"), ("stripe_new", "ic_1")] {
                var draft = CardDraft.sample()
                draft.binding = Self.draft(id, at: connection).binding
                guard case .updated(let card) = try await store.putCard(draft, audit: .backend) else {
                    Issue.record("\(id) is not known as the card's")
                    return
                }
                #expect(card == before)
            }
        }
    }

    @Test("Of many that are made active at once, one is", arguments: StoreKind.all)
    func ofManyThatAreMadeActiveAtOnceOneIs(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            let stores = [store, try await test.open()]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        let draft = Self.draft("id_\(number % 6)", at: "connection_\(number % 6)", state: .active)
                        _ = try await stores[number % 2].putBinding(draft, audit: .backend)
                    }
                }
                try await group.waitForAll()
            }
            let states = try await Self.states(store)
            #expect(states.count == 7 && states.values.count { $0 == .active } == 1)
            #expect(try await test.open().card(.rides("card_1"))?.activeBinding != nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func anAttemptThatWasPlannedWithTheFormerBindingIsNotReserved(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            let planned = try #require(try await store.card(.rides("card_1")))
            #expect(store.recentCard(planned.key) == planned)
            _ = try await test.open().putBinding(Self.draft("ic_1", state: .active), audit: .backend)
            #expect(store.recentCard(planned.key) == planned, "another process changed it")
            #expect(try await store.reserve(.sample()) == .cardChanged)
            #expect(store.recentCard(planned.key) == nil)
            _ = try await store.card(planned.key)
            _ = try await store.putBinding(Self.draft("ic_2", state: .active), audit: .backend)
            #expect(store.recentCard(planned.key) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func aDestinationGetsTheChange(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            _ = try await store.putBinding(Self.draft("ic_1", state: .active), audit: .backend)
            let log = try await store.deliveries(
                DeliveryQuery(destination: "dest_1", page: PageRequest(limit: 9))
            ).elements
            #expect(log.map(\.type) == ["card.binding_changed", "card.binding_changed"])
        }
    }
}
