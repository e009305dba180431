import Provisioning
import Storage
import Testing

@Suite("Every store adds up how attempts went, and what waits")
struct OverviewContractTests {
    /// Has an attempt end so.
    private func end(
        _ id: String, program: String = "rides", wallet: Wallet = .applePay, as status: ProvisioningStatus,
        after milliseconds: Int64 = 0, in store: any Store
    ) async throws {
        var card = CardDraft.sample("card_\(id)")
        card.key = CardKey(program: program, id: "card_\(id)")
        _ = try await store.putCard(card, audit: .backend)
        var record = StoredProvisioning.sample(
            id, card: "card_\(id)", program: program, at: Moment.after(milliseconds))
        record.wallet = wallet
        #expect(try await store.reserve(.sample(record, digest: Array(id.utf8))) == .reserved)
        if status == .sending { return }
        var ended = record.ended(status)
        if status == .handedOff { ended.deliveredAt = ended.updatedAt }
        try await store.complete(ProvisioningCompletion(ended))
    }

    /// Has what was completed written.
    private func write(_ store: any Store) async throws { try await store.checkHealth() }

    @Test(arguments: StoreKind.all)
    func countsByConnectionAndWalletHowFarAttemptsCame(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            try await end("prov_1", as: .handedOff, in: store)
            try await end("prov_2", as: .handedOff, in: store)
            try await end("prov_3", as: .refused, after: 5, in: store)
            try await end("prov_4", as: .refused, after: 9, in: store)
            try await end("prov_5", wallet: .googlePay, as: .unknown, in: store)
            try await end("prov_6", wallet: .googlePay, as: .sending, in: store)
            try await end("prov_7", program: "meals", as: .handedOff, in: store)
            _ = try await store.note(
                DeviceReport(
                    id: "prov_2", program: "rides", result: .added, code: nil, domain: nil, at: Moment.after(2000)))
            try await write(store)
            let found = try await store.overview(OverviewQuery(program: "rides", from: Moment.start))
            #expect(found.isWhole)
            #expect(
                found.funnels == [
                    AttemptOverview.Funnel(
                        provider: "increase", connection: "increase_main", wallet: .applePay, attempted: 4,
                        handedOff: 2, tokens: 1, active: 0, unknown: 0, failed: 2),
                    AttemptOverview.Funnel(
                        provider: "increase", connection: "increase_main", wallet: .googlePay, attempted: 2,
                        handedOff: 0, tokens: 0, active: 0, unknown: 1, failed: 0),
                ])
            #expect(found.failures.map(\.code) == [.providerRejected])
            #expect(found.failures.map(\.count) == [3] && found.failures.first?.connection == "increase_main")
        }
    }

    @Test(arguments: StoreKind.all)
    func countsOnlyWhatBeganWithinTheWindow(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for number in 1...9 {
                try await end("prov_\(number)", as: .refused, after: Int64(number) * 1000, in: store)
            }
            try await write(store)
            for (after, count) in [(0, 9), (1000, 9), (1001, 8), (5500, 4), (9000, 1), (9001, 0)] as [(Int64, Int)] {
                let found = try await store.overview(OverviewQuery(program: "rides", from: Moment.after(after)))
                #expect(found.funnels.reduce(0) { $0 + $1.attempted } == count, "\(after)")
                #expect(found.failures.reduce(0) { $0 + $1.count } == count)
                if count > 0 {
                    #expect(found.failures.first?.latest == "prov_9")
                    #expect(found.failures.first?.latestAt == Moment.after(9000))
                }
            }
            let other = try await store.overview(OverviewQuery(program: "meals", from: Moment.start))
            #expect(other == AttemptOverview(funnels: [], failures: [], isWhole: true))
        }
    }

    @Test(arguments: StoreKind.all)
    func tellsWhatWaitsAndWhatWasGivenUp(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            #expect(try await store.backlog() == StoreBacklog())
            _ = try await store.putCard(.sample("card_1"), audit: .backend)
            try await store.add(.sample("dest_1"), audit: .backend)
            for token in ["tok_1", "tok_2"] {
                _ = try await store.settle(.sample(.sample(token), observedAfter: 6000, card: .rides("card_1")))
            }
            #expect(try await store.receive(.sample("evt_1")))
            let waiting = try await store.backlog()
            #expect(waiting.eventsPending == 2 && waiting.deadLetters == 0 && waiting.inboundPending == 1)
            #expect(waiting.eventsDueAt != nil && waiting.disabledDestinations == 0)
            let due = try await store.claim(OutgoingClaim.sample(after: 10_000))
            for delivery in due { try await store.finish(.sample(delivery.number, .dead, after: 10_001, status: 500)) }
            let dead = try await store.backlog()
            #expect(!due.isEmpty && dead.deadLetters == due.count && dead.eventsPending == 2 - due.count)
        }
    }
}
