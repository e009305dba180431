import Provisioning
import Testing

@testable import Storage

/// An instance that is stuck within a transaction, with rows of the queues in its hands: the others take all the rest, and
/// do not wait.
@Suite("What a transaction holds is skipped")
struct SkippedRowTests {
    /// Runs `body` with two instances, and some cards.
    private func with(
        _ body: @Sendable (PostgreSQLUnderTest, any GatewayStore, any GatewayStore) async throws -> Void
    ) async throws {
        try await SpareSchemas.with { test in
            let (store, other) = (try await test.open(), try await test.open())
            for number in 1...3 { _ = try await store.putCard(.sample("card_\(number)"), audit: .backend) }
            try await body(test, store, other)
        }
    }

    @Test func deliveries() async throws {
        try await with { (test, store, other) async throws in
            try await store.add(.sample("dest_1"), audit: .backend)
            for number in 1...3 {
                let report = TokenReport.sample(
                    .sample("t\(number)"), observedAfter: 6000, card: .rides("card_\(number)"))
                _ = try await store.settle(report)
            }
            let first = try #require(try await store.deliveries(.to("dest_1")).elements.last?.event)
            try await test.holding(
                "SELECT FROM delivery WHERE event = (SELECT number FROM event WHERE id = '\(first)') FOR UPDATE"
            ) { () async throws in
                let start = ContinuousClock.now
                let rest = try await other.claim(.sample("two", after: 10_000)).map(\.event.id)
                #expect(rest.count == 2 && !rest.contains(first))
                #expect(ContinuousClock.now - start < .seconds(2), "it waited")
            }
            #expect(try await other.claim(.sample("two", after: 10_000)).map(\.event.id) == [first])
        }
    }

    @Test func attemptsToFollowUp() async throws {
        try await with { (test, store, other) async throws in
            for number in 1...3 {
                let record = StoredProvisioning.sample("prov_\(number)", card: "card_\(number)")
                #expect(try await store.reserve(.sample(record, digest: Array(record.id.utf8))) == .reserved)
                var ended = record.ended(.unknown)
                ended.followUpAt = Moment.after(1000)
                try await store.complete(ProvisioningCompletion(ended))
            }
            // A read that filters by status writes what waits first.
            _ = try await store.provisionings(
                ProvisioningQuery(program: "rides", status: .unknown, page: PageRequest()))
            let claim = FollowUpClaim(
                now: Moment.after(2000), holder: "two", leaseUntil: Moment.after(62_000), limit: 10)
            try await test.holding("SELECT FROM provisioning WHERE id = 'prov_2' FOR UPDATE") { () async throws in
                let start = ContinuousClock.now
                #expect(try await other.claim(claim).map(\.id) == ["prov_1", "prov_3"])
                #expect(ContinuousClock.now - start < .seconds(2), "it waited")
            }
            #expect(try await other.claim(claim).map(\.id) == ["prov_2"])
        }
    }

    @Test func attemptsWhoseInstanceIsGone() async throws {
        try await with { (test, store, other) async throws in
            for number in 1...3 {
                let record = StoredProvisioning.sample("prov_\(number)", card: "card_\(number)")
                #expect(try await store.reserve(.sample(record, digest: Array(record.id.utf8))) == .reserved)
            }
            let late = Moment.after(600_000)
            func statuses() async throws -> [ProvisioningStatus] {
                try await other.provisionings(ProvisioningQuery(program: "rides", page: PageRequest())).elements
                    .sorted { $0.id < $1.id }.map(\.status)
            }
            try await test.holding("SELECT FROM provisioning WHERE id = 'prov_2' FOR UPDATE") { () async throws in
                let start = ContinuousClock.now
                try await other.sweep(at: late, retention: Retention())
                #expect(try await statuses() == [.unknown, .sending, .unknown])
                #expect(ContinuousClock.now - start < .seconds(2), "it waited")
            }
            try await other.sweep(at: late, retention: Retention())
            #expect(try await statuses() == [.unknown, .unknown, .unknown])
        }
    }
}
