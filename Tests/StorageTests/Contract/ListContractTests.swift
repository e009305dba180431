import Provisioning
import Storage
import Testing

@Suite("Every store lists attempts and keeps house as promised")
struct ListContractTests {
    /// Runs `body` on a store with two cards, and attempts one second apart, every third one for the second card.
    private func withAttempts(
        _ kind: StoreKind, _ count: Int, _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for id in ["card_1", "card_2"] { _ = try await store.putCard(.sample(id), audit: .backend) }
            for number in 0..<count {
                let record = StoredProvisioning.sample(
                    "prov_\(number)", card: number % 3 == 2 ? "card_2" : "card_1",
                    at: Moment.after(Int64(number) * 1000))
                #expect(try await store.reserve(.sample(record, digest: [UInt8(number)])) == .reserved)
            }
            try await body(store, test)
        }
    }

    @Test(arguments: StoreKind.all)
    func theNewestComeFirstAndInsertsMoveNothing(_ kind: StoreKind) async throws {
        try await withAttempts(kind, 7) { (store, _) async throws in
            var seen: [String] = []
            var cursor: String?
            repeat {
                let query = ProvisioningQuery(program: "rides", page: PageRequest(limit: 2, cursor: cursor))
                let page = try await store.provisionings(query)
                seen += page.elements.map(\.id)
                cursor = page.nextCursor
                _ = try await store.reserve(.sample(.sample("late_\(seen.count)"), digest: nil))
            } while cursor != nil && seen.count < 20
            #expect(seen == (0..<7).reversed().map { "prov_\($0)" })
        }
    }

    @Test(arguments: StoreKind.all)
    func attemptsAreFoundByCardStatusAndProvider(_ kind: StoreKind) async throws {
        try await withAttempts(kind, 6) { (store, _) async throws in
            try await store.complete(
                ProvisioningCompletion(StoredProvisioning.sample("prov_5", card: "card_2").ended(.refused)))
            func ids(_ card: String?, _ status: ProvisioningStatus?, _ provider: String?) async throws -> [String] {
                let query = ProvisioningQuery(
                    program: "rides", card: card, status: status, provider: provider, page: PageRequest())
                return try await store.provisionings(query).elements.map(\.id)
            }
            #expect(try await ids("card_2", nil, nil) == ["prov_5", "prov_2"])
            #expect(try await ids("card_2", .sending, nil) == ["prov_2"])
            #expect(try await ids(nil, .refused, "increase") == ["prov_5"])
            #expect(try await ids(nil, nil, "stripe") == [])
            #expect(try await ids("card_9", nil, nil) == [])
        }
    }

    @Test(arguments: StoreKind.all)
    func theSweepGivesUpWhatIsMoreThanFiveSecondsLate(_ kind: StoreKind) async throws {
        try await withAttempts(kind, 2) { (store, _) async throws in
            try await store.complete(
                ProvisioningCompletion(StoredProvisioning.sample("prov_1", card: "card_1").ended(.handedOff)))
            try await store.sweep(at: Moment.after(20_000), retention: Retention())
            #expect(try await store.provisioning("prov_0", program: "rides")?.status == .sending)
            try await store.sweep(at: Moment.after(60_000), retention: Retention())
            let lost = try await store.provisioning("prov_0", program: "rides")
            #expect(lost?.status == .unknown && lost?.updatedAt == Moment.after(60_000))
            #expect(lost?.timeline.last?.step == "unknown")
            #expect(try await store.provisioning("prov_1", program: "rides")?.status == .handedOff)
        }
    }

    @Test(arguments: StoreKind.all)
    func theSweepDropsAttemptsThatHaveOutlivedTheirTime(_ kind: StoreKind) async throws {
        try await withAttempts(kind, 3) { (store, _) async throws in
            var retention = Retention()
            retention.provisionings = 2
            try await store.sweep(at: Moment.after(2 * Moment.day + 1000), retention: retention)
            #expect(try await store.provisioning("prov_0", program: "rides") == nil)
            #expect(try await store.provisioning("prov_1", program: "rides") != nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func theSweepForgetsNoHandshakeTooEarly(_ kind: StoreKind) async throws {
        try await withAttempts(kind, 1) { (store, _) async throws in
            let late = StoredProvisioning.sample("prov_x", at: Moment.after(Moment.day - 1))
            try await store.sweep(at: late.createdAt, retention: Retention())
            #expect(try await store.reserve(.sample(late, digest: [0])) == .handshakeReused)
            try await store.sweep(at: Moment.after(Moment.day), retention: Retention())
            #expect(try await store.reserve(.sample(late, digest: [0])) == .reserved)
        }
    }

    @Test(arguments: StoreKind.all)
    func aSweepOfThousandsLeavesRoomForOthers(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1200 {
                    group.addTask { _ = try await store.reserve(.sample(.sample("prov_\(number)"), digest: nil)) }
                }
                try await group.waitForAll()
            }
            try await store.sweep(at: Moment.after(60_000), retention: Retention())
            let query = ProvisioningQuery(program: "rides", status: .sending, page: PageRequest())
            #expect(try await store.provisionings(query).elements.isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func aHealthyStoreIsHealthy(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            try await store.checkHealth()
            await store.close()
            await #expect(throws: StoreFailure.self) { try await store.checkHealth() }
        }
    }
}
