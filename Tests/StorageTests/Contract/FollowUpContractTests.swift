import Provisioning
import Storage
import Testing

@Suite("Every store follows attempts up as promised")
struct FollowUpContractTests {
    /// Attempts of cards that are followed up from so many milliseconds after the start on.
    private func withAttempts(
        _ kind: StoreKind, _ attempts: [(id: String, card: String, dueAfter: Int64)],
        _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for card in Set(attempts.map(\.card)) { _ = try await store.putCard(.sample(card), audit: .backend) }
            for attempt in attempts {
                let record = StoredProvisioning.sample(attempt.id, card: attempt.card)
                #expect(try await store.reserve(.sample(record, digest: Array(attempt.id.utf8))) == .reserved)
                var ended = record.ended(.unknown)
                ended.sentAt = record.createdAt
                ended.followUpAt = Moment.after(attempt.dueAfter)
                try await store.complete(ProvisioningCompletion(ended))
            }
            // A read that filters by status writes what waits first.
            _ = try await store.provisionings(
                ProvisioningQuery(program: "rides", status: .unknown, page: PageRequest()))
            try await body(store, test)
        }
    }

    private static func claim(after milliseconds: Int64, _ holder: String = "one", limit: Int = 10) -> FollowUpClaim {
        FollowUpClaim(
            now: Moment.after(milliseconds), holder: holder, leaseUntil: Moment.after(milliseconds + 60_000),
            limit: limit)
    }

    private static func end(
        _ id: String, _ holder: String = "one", after milliseconds: Int64, nextAfter: Int64?, step: String? = nil,
        isDayOver: Bool = false
    ) -> FollowUpEnd {
        FollowUpEnd(
            id: id, program: "rides", holder: holder, at: Moment.after(milliseconds),
            nextAt: nextAfter.map { Moment.after($0) },
            step: step.map { TimelineStep(at: Moment.after(milliseconds), step: $0, source: "provider") },
            isDayOver: isDayOver, counts: true)
    }

    @Test(arguments: StoreKind.all)
    func whatIsDueIsClaimedTheLongestOverdueFirst(_ kind: StoreKind) async throws {
        try await withAttempts(
            kind, [("prov_a", "card_1", 3000), ("prov_b", "card_2", 2000), ("prov_c", "card_3", 5000)]
        ) { (store, _) async throws in
            #expect(try await store.claim(Self.claim(after: 1999)).isEmpty)
            #expect(try await store.claim(Self.claim(after: 4000, limit: 1)).map(\.id) == ["prov_b"])
            let record = try await store.claim(Self.claim(after: 4000))
            #expect(record.map(\.id) == ["prov_a"])
            #expect(record.first?.followUpAt == Moment.after(3000))
        }
    }

    @Test(arguments: StoreKind.all)
    func twoInstancesNeverHaveAttemptsOfOneCardAtOnce(_ kind: StoreKind) async throws {
        try await withAttempts(
            kind, [("prov_a", "card_1", 1000), ("prov_b", "card_1", 2000), ("prov_c", "card_2", 2000)]
        ) { (store, test) async throws in
            let other = try await test.open()
            #expect(try await store.claim(Self.claim(after: 1500)).map(\.id) == ["prov_a"])
            #expect(try await other.claim(Self.claim(after: 2500, "two")).map(\.id) == ["prov_c"])
            try await store.finish([Self.end("prov_a", after: 2600, nextAfter: 90_000)])
            #expect(try await other.claim(Self.claim(after: 2700, "two")).map(\.id) == ["prov_b"])
        }
    }

    @Test(arguments: StoreKind.all)
    func oneOfManyInstancesGetsEachCard(_ kind: StoreKind) async throws {
        let attempts = (0..<20).map { ("prov_\($0)", "card_\($0)", Int64(1000)) }
        try await withAttempts(kind, attempts) { (store, test) async throws in
            let stores = [store, try await test.open(), try await test.open()]
            let claimed = try await withThrowingTaskGroup(of: [String].self) { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        try await store.claim(Self.claim(after: 2000, "holder-\(number)", limit: 20)).map(\.id)
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(claimed.count == 20 && Set(claimed).count == 20)
        }
    }

    @Test(arguments: StoreKind.all)
    func aLeaseThatRanOutIsTakenOverAndItsHolderChangesNothingMore(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", "card_1", 1000)]) { (store, test) async throws in
            let other = try await test.open()
            #expect(try await store.claim(Self.claim(after: 1000)).count == 1)
            #expect(try await other.claim(Self.claim(after: 60_999, "two")).isEmpty)
            #expect(try await other.claim(Self.claim(after: 61_000, "two")).map(\.id) == ["prov_a"])
            try await store.finish([Self.end("prov_a", after: 62_000, nextAfter: nil, isDayOver: true)])
            #expect(try await store.provisioning("prov_a", program: "rides")?.status == .unknown)
            try await other.finish([Self.end("prov_a", "two", after: 62_000, nextAfter: 70_000)])
            #expect(try await store.provisioning("prov_a", program: "rides")?.followUpAt == Moment.after(70_000))
        }
    }

    @Test(arguments: StoreKind.all)
    func theScheduleOutlivesTheProcess(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", "card_1", 1000)]) { (store, test) async throws in
            #expect(try await store.claim(Self.claim(after: 1000)).count == 1)
            try await store.finish([Self.end("prov_a", after: 1200, nextAfter: 9000, step: "asked")])
            await store.close()
            let next = try await test.open()
            #expect(try await next.claim(Self.claim(after: 8999, "two")).isEmpty)
            let record = try #require(try await next.claim(Self.claim(after: 9000, "two")).first)
            #expect(record.followUps == 1)
            #expect(record.timeline.last?.step == "asked")
            try await next.finish([Self.end("prov_a", "two", after: 9100, nextAfter: 9500, step: "asked")])
            let again = try #require(try await next.provisioning("prov_a", program: "rides"))
            #expect(again.followUps == 2 && again.timeline.count { $0.step == "asked" } == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func aDayWithoutAWordEndsIt(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", "card_1", 1000)]) { (store, _) async throws in
            _ = try await store.claim(Self.claim(after: 1000))
            try await store.finish([Self.end("prov_a", after: Moment.day, nextAfter: nil, isDayOver: true)])
            let record = try #require(try await store.provisioning("prov_a", program: "rides"))
            #expect(record.status == .abandoned && record.followUpAt == nil)
            #expect(record.settlement == StoredSettlement(source: .time, at: Moment.after(Moment.day)))
            #expect(record.timeline.last?.step == "abandoned")
            #expect(try await store.claim(Self.claim(after: 2 * Moment.day)).isEmpty)
        }
    }

    @Test(arguments: StoreKind.all)
    func whatWasHeardMeanwhileStays(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", "card_1", 1000)]) { (store, _) async throws in
            _ = try await store.claim(Self.claim(after: 1000))
            _ = try await store.note(
                DeviceReport(
                    id: "prov_a", program: "rides", result: .failed, code: nil, domain: nil, at: Moment.after(1100)))
            try await store.finish([Self.end("prov_a", after: 1200, nextAfter: 9000, isDayOver: true)])
            let record = try #require(try await store.provisioning("prov_a", program: "rides"))
            #expect(record.status == .failed && record.followUpAt == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func anAttemptThatACrashLeftIsFollowedUpAsIfSentWhenItWasReserved(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            #expect(try await store.reserve(.sample()) == .reserved)
            try await store.sweep(at: Moment.after(20_001), retention: Retention())
            let record = try #require(try await store.claim(Self.claim(after: 20_001)).first)
            #expect(record.status == .unknown && record.sentAt == record.createdAt)
        }
    }
}
