import Provisioning
import Storage
import Testing

@Suite("Every store reserves as promised")
struct ReservationContractTests {
    /// Runs `body` on a store with one card.
    private func withCard(
        _ kind: StoreKind, _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            try await body(store, test)
        }
    }

    @Test(arguments: StoreKind.all)
    func aReservationIsDurableAndWhole(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
            // Another instance sees only what is committed.
            let other = try await test.open()
            #expect(try await other.provisioning("prov_1", program: "rides") == .sample())
            let use = try await other.idempotency(.sample(), at: Moment.after(1))
            #expect(use?.ending == nil && use?.deadlineAt == Moment.after(15_000) && use?.firstUsedAt == Moment.start)
            #expect(try await other.reserve(.sample(.sample("prov_2"))) == .handshakeReused)
        }
    }

    @Test(arguments: StoreKind.all)
    func aHandshakeIsSpentOnceForAllCardsOfAProgram(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            _ = try await store.putCard(.sample("card_2"), audit: .backend)
            _ = try await store.putCard(.sample("card_1", program: "meals", provider: "card_m"), audit: .backend)
            #expect(try await store.reserve(.sample()) == .reserved)
            #expect(try await store.reserve(.sample(.sample("prov_2", card: "card_2"))) == .handshakeReused)
            #expect(try await store.provisioning("prov_2", program: "rides") == nil)
            var elsewhere = Reservation.sample(.sample("prov_3", program: "meals"))
            elsewhere.card.binding = .increase("card_m")
            #expect(try await store.reserve(elsewhere) == .reserved)
        }
    }

    @Test(arguments: StoreKind.all)
    func aSpentHandshakeIsRememberedUntilItExpires(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample()) == .reserved)
            let justBefore = StoredProvisioning.sample("prov_2", at: Moment.after(Moment.day - 1))
            #expect(try await store.reserve(.sample(justBefore)) == .handshakeReused)
            let after = StoredProvisioning.sample("prov_3", at: Moment.after(Moment.day))
            #expect(try await store.reserve(.sample(after)) == .reserved)
            let again = StoredProvisioning.sample("prov_4", at: Moment.after(Moment.day + 1))
            #expect(try await store.reserve(.sample(again)) == .handshakeReused)
        }
    }

    @Test(arguments: StoreKind.all)
    func aHandshakeThatWasSpentUnderAFormerKeyIsSpent(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample(digest: [1])) == .reserved)
            var again = Reservation.sample(.sample("prov_2"), digest: [2])
            again.formerHandshakeDigests = [[3], [1]]
            #expect(try await store.reserve(again) == .handshakeReused)
            again.record = .sample("prov_3", at: Moment.after(Moment.day))
            #expect(try await store.reserve(again) == .reserved)
        }
    }

    @Test(arguments: StoreKind.all)
    func oneOfAHundredConcurrentReservationsSpendsTheHandshake(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            let stores = [store, try await test.open()]
            let results = try await withThrowingTaskGroup(of: ReservationResult.self) { group in
                for number in 0..<100 {
                    group.addTask { try await stores[number % 2].reserve(.sample(.sample("prov_\(number)"))) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0 == .reserved } == 1)
            #expect(results.count { $0 == .handshakeReused } == 99)
            let all = try await store.provisionings(ProvisioningQuery(program: "rides", page: PageRequest(limit: 100)))
            #expect(all.elements.count == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func oneOfManyConcurrentReservationsGetsTheIdempotencyKey(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            let stores = [store, try await test.open()]
            let results = try await withThrowingTaskGroup(of: ReservationResult.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        try await stores[number % 2].reserve(
                            .sample(.sample("prov_\(number)"), digest: [UInt8(number)], claim: .sample()))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0 == .reserved } == 1)
            // Those that lost the key did not spend their handshake.
            let losers = results.count {
                if case .idempotencyKeyTaken = $0 { true } else { false }
            }
            #expect(losers == 49)
            let fresh = try await (0..<50).asyncCount { number in
                try await store.reserve(.sample(.sample("later_\(number)"), digest: [UInt8(number)])) == .reserved
            }
            #expect(fresh == 49)
        }
    }

    @Test(arguments: StoreKind.all)
    func anotherBindingOrCardholderUndoesTheReservation(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            let changes: [(inout CardBinding) -> Void] = [
                { $0.connection = "other" }, { $0.providerCardID = "other" }, { $0.last4 = "0000" },
                { $0.network = .amex }, { $0.productID = "p" }, { $0.providerCardholderID = "h" },
            ]
            for change in changes {
                var reservation = Reservation.sample(claim: .sample())
                change(&reservation.card.binding)
                #expect(try await store.reserve(reservation) == .cardChanged)
            }
            let owners: [(inout ServingCard) -> Void] = [
                { $0.cardholderID = "other" }, { $0.cardholderName = "Other" }, { $0.title = nil },
            ]
            for change in owners {
                var reservation = Reservation.sample(claim: .sample())
                change(&reservation.card)
                #expect(try await store.reserve(reservation) == .cardChanged)
            }
            #expect(try await store.provisioning("prov_1", program: "rides") == nil)
            #expect(try await store.idempotency(.sample(), at: Moment.start) == nil)
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
        }
    }

    @Test(arguments: StoreKind.all)
    func aCardThatIsGoneUndoesTheReservation(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.eraseCard(.rides("card_1"), audit: .backend))
            #expect(try await store.reserve(.sample(claim: .sample())) == .cardGone)
            #expect(try await store.provisioning("prov_1", program: "rides") == nil)
            #expect(try await store.idempotency(.sample(), at: Moment.start) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func aReusedHandshakeLeavesTheKeyFree(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample()) == .reserved)
            #expect(try await store.reserve(.sample(.sample("prov_2"), claim: .sample())) == .handshakeReused)
            #expect(try await store.idempotency(.sample(), at: Moment.start) == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func aRepeatableHandshakeIsNotSpent(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            for number in 1...3 {
                #expect(try await store.reserve(.sample(.sample("prov_\(number)"), digest: nil)) == .reserved)
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func aRecordsIdIsUsedOnce(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample(digest: [1])) == .reserved)
            await #expect(throws: StoreFailure.self) { try await store.reserve(.sample(digest: [2])) }
            // What failed left no trace, and those that were in its group lost nothing.
            #expect(try await store.reserve(.sample(.sample("prov_2"), digest: [2])) == .reserved)
        }
    }
}

extension Sequence where Element: Sendable {
    /// How many elements pass a test that waits.
    func asyncCount(_ test: (Element) async throws -> Bool) async rethrows -> Int {
        var count = 0
        for element in self where try await test(element) { count += 1 }
        return count
    }
}
