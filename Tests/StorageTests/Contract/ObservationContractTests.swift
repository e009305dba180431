import ProviderTesting
import Provisioning
import Testing

@testable import Storage

@Suite("Every store counts what attempts say of their side as promised")
struct ObservationContractTests {
    private static let everything = everything(after: 0)

    private static func everything(after milliseconds: Int64) -> SideQuery {
        SideQuery(
            program: "rides", connection: "increase_main", from: Moment.start, at: Moment.after(milliseconds))
    }

    /// Has an attempt end so.
    private func end(
        _ id: String, card: String = "card_1", wallet: Wallet = .applePay, as status: ProvisioningStatus = .handedOff,
        whoLeft hasLeft: Bool = false, after milliseconds: Int64 = 0, in store: any Store
    ) async throws {
        _ = try await store.putCard(.sample(card), audit: .backend)
        var record = StoredProvisioning.sample(id, card: card, at: Moment.after(milliseconds))
        record.wallet = wallet
        #expect(try await store.reserve(.sample(record, digest: Array(id.utf8))) == .reserved)
        var ended = record.ended(status)
        if status == .handedOff { ended.deliveredAt = ended.updatedAt }
        if hasLeft {
            ended.timeline.append(
                TimelineStep(at: ended.updatedAt, step: StoredProvisioning.callerLeftStep, source: "gateway"))
        }
        try await store.complete(ProvisioningCompletion(ended))
    }

    private func report(_ id: String, _ result: DeviceReport.Result, to store: any Store) async throws {
        _ = try await store.note(
            DeviceReport(
                id: id, program: "rides", result: result, code: nil, domain: nil, at: Moment.after(60_000)))
    }

    private func tally(_ observed: Int, _ succeeded: Int) -> StageTally {
        StageTally(observed: observed, succeeded: succeeded)
    }

    @Test(arguments: StoreKind.all)
    func anAttemptIsObservedOnceItHasEnded(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample("card_1"), audit: .backend)
            #expect(try await store.reserve(.sample(.sample("prov_0"), digest: [1])) == .reserved)
            #expect(try await store.tally(Self.everything).attempts == 0)
            try await end("prov_1", card: "card_2", in: store)
            try await end("prov_2", card: "card_3", as: .refused, in: store)
            let found = try await store.tally(Self.everything)
            #expect(
                found
                    == SideTally(
                        attempts: 2, handedOff: 1, handoff: tally(2, 1), activation: tally(0, 0),
                        addition: tally(0, 0)))
        }
    }

    @Test(arguments: StoreKind.all)
    func ofACardAWalletAndAnHourThereIsOneObservation(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            try await end("prov_1", as: .refused, in: store)
            try await end("prov_2", as: .refused, after: 1000, in: store)
            #expect(try await store.tally(Self.everything).handoff == tally(1, 0))
            // Who got there at the third try got there.
            try await end("prov_3", after: 2000, in: store)
            var found = try await store.tally(Self.everything)
            #expect(found.attempts == 3 && found.handedOff == 1 && found.handoff == tally(1, 1))
            try await end("prov_4", wallet: .googlePay, as: .refused, after: 3000, in: store)
            try await end("prov_5", as: .refused, after: Moment.hour, in: store)
            try await end("prov_6", card: "card_2", as: .refused, in: store)
            found = try await store.tally(Self.everything)
            #expect(found.attempts == 6 && found.handedOff == 1 && found.handoff == tally(4, 1))
        }
    }

    /// Whatever the order in which tries end, and what devices say between: the sums are those of all tries together.
    @Test(arguments: StoreKind.all)
    func theOrderInWhichTriesEndDoesNotMatter(_ kind: StoreKind) async throws {
        let endings: [(status: ProvisioningStatus, said: DeviceReport.Result?)] = [
            (.refused, nil), (.handedOff, .failed), (.handedOff, nil), (.unknown, nil), (.handedOff, .added),
            (.refused, nil),
        ]
        for seed in 1...6 {
            var random = DeterministicRandom(seed: UInt64(seed))
            let order = endings.shuffled(using: &random).prefix(1 + seed % endings.count)
            try await kind.with { test in
                let store = try await test.open()
                for (number, ending) in order.enumerated() {
                    try await end("prov_\(number)", as: ending.status, after: Int64(number) * 1000, in: store)
                    if let said = ending.said { try await report("prov_\(number)", said, to: store) }
                }
                let records = try await store.provisionings(
                    ProvisioningQuery(program: "rides", page: PageRequest(limit: 100))
                ).elements
                #expect(records.count == order.count)
                let joined = AttemptVerdict.joined(records.map(\.verdict))
                func stage(_ word: Bool?) -> StageTally { tally(word == nil ? 0 : 1, word == true ? 1 : 0) }
                let found = try await store.tally(Self.everything)
                #expect(found.attempts == order.count, "seed \(seed)")
                #expect(found.handedOff == records.count { $0.verdict.isHandedOff == true })
                #expect(found.handoff == stage(joined.isHandedOff))
                #expect(found.activation == stage(joined.isActive) && found.addition == stage(joined.isAdded))
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func whatDevicesSayMovesTheSecondStage(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for number in 1...4 { try await end("prov_\(number)", card: "card_\(number)", in: store) }
            try await report("prov_1", .added, to: store)
            try await report("prov_2", .failed, to: store)
            try await report("prov_3", .cancelled, to: store)
            let found = try await store.tally(Self.everything)
            #expect(found.handoff == tally(4, 4))
            #expect(found.addition == tally(2, 1), "who cancels says nothing of the side")
            #expect(found.activation == tally(1, 0))
        }
    }

    /// A token that stays `requested`, or that nobody ever sees, is as bad as one that is declined, only slower.
    @Test(arguments: StoreKind.all)
    func aTokenThatIsNotActiveADayAfterItsHourCountsAsNotActive(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            for number in 1...5 { try await end("prov_\(number)", card: "card_\(number)", in: store) }
            try await report("prov_1", .added, to: store)
            try await report("prov_2", .cancelled, to: store)
            func hear(_ card: String, _ status: TokenStatus, after milliseconds: Int64) async throws {
                _ = try await store.settle(
                    .sample(
                        .sample("token_of_\(card)", status), observedAfter: milliseconds, card: .rides(card)))
            }
            try await hear("card_3", .requested, after: 10_000)
            try await hear("card_4", .verificationRequired, after: 10_000)
            try await hear("card_5", .active, after: 10_000)
            let hourEnd = Moment.hour - Moment.start.milliseconds % Moment.hour
            let (before, after) = (hourEnd + Moment.day - 1, hourEnd + Moment.day)
            #expect(try await store.tally(Self.everything(after: before)).activation == tally(1, 1))
            #expect(try await store.tally(Self.everything(after: after)).activation == tally(4, 1))
            #expect(try await store.tally(Self.everything(after: after)).addition == tally(4, 4))
            // What comes late counts once, and as what it is.
            try await hear("card_3", .active, after: after + 1000)
            #expect(try await store.tally(Self.everything(after: after + 2000)).activation == tally(4, 2))
            #expect(try await store.tally(Self.everything(after: before)).activation == tally(2, 2))
            try await hear("card_4", .declined, after: after + 1000)
            #expect(try await store.tally(Self.everything(after: after + 2000)).activation == tally(4, 2))
        }
    }

    @Test(arguments: StoreKind.all)
    func aMigrationsAttemptsAreToldFromOthers(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            try await end("prov_1", as: .refused, in: store)
            _ = try await store.open(.sample(mode: .shadow, at: Moment.after(10)), listing: [], audit: .backend)
            // The same card in the same hour, and not the same observation.
            try await end("prov_2", after: 1000, in: store)
            let query = SideQuery(
                program: "rides", connection: "increase_main", migration: "mig_1", from: Moment.after(10),
                at: Moment.after(10))
            #expect(try await store.tally(query).handoff == tally(1, 1))
            #expect(try await store.tally(Self.everything).handoff == tally(2, 1))
            let elsewhere = SideQuery(program: "rides", connection: "stripe_us", from: Moment.start, at: Moment.start)
            #expect(try await store.tally(elsewhere).attempts == 0)
            let later = SideQuery(
                program: "rides", connection: "increase_main", from: Moment.after(2 * Moment.hour),
                at: Moment.after(2 * Moment.hour))
            #expect(try await store.tally(later).attempts == 0)
        }
    }

    @Test(arguments: StoreKind.all)
    func anObservationGoesWithItsAttempts(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            try await end("prov_1", in: store)
            try await end("prov_2", after: 500 * Moment.day, in: store)
            try await store.sweep(
                at: Moment.after(500 * Moment.day), retention: Retention())
            #expect(try await store.tally(Self.everything).attempts == 1)
        }
    }

    @Test(arguments: StoreKind.all)
    func aMigrationsFiguresAreThoseOfItsRecords(_ kind: StoreKind) async throws {
        try await kind.with { test in
            let store = try await test.open()
            let migration = StoredMigration.sample(mode: .shadow)
            _ = try await store.open(migration, listing: [], audit: .backend)
            for number in 1...6 {
                try await end(
                    "prov_\(number)", card: "card_\(number)", as: number <= 2 ? .refused : .handedOff, in: store)
            }
            try await report("prov_6", .added, to: store)
            // Its caller went away: that is an attempt, and no problem of the side's.
            try await end("prov_7", card: "card_7", as: .refused, whoLeft: true, in: store)
            try await store.add([
                ShadowFinding(migration: "mig_1", wallet: .applePay, kind: .agrees): 3,
                ShadowFinding(migration: "mig_2", wallet: .applePay, kind: .agrees): 9,
            ])
            try await store.add([ShadowFinding(migration: "mig_1", wallet: .applePay, kind: .agrees): 2])
            let side = LeftAloneSide(migration: "mig_1", connection: "stripe_us")
            try await store.add([side: 4, LeftAloneSide(migration: "mig_2", connection: "stripe_us"): 9])
            try await store.add([side: 1])
            let figures = try await store.figures(
                SwitchFiguresQuery(migration: migration, sample: 10, at: Moment.start))
            #expect(figures.from.tally.attempts == 7 && figures.from.tally.handedOff == 4)
            #expect(figures.from.tally.handoff == tally(6, 4) && figures.from.tally.addition == tally(1, 1))
            #expect(figures.from.codes == [.providerRejected: 2])
            #expect(figures.from.leftAlone == 0 && figures.to.leftAlone == 5)
            #expect(figures.to.tally.attempts == 0 && figures.to.codes.isEmpty && figures.to.durations.isEmpty)
            #expect(
                figures.findings == [ShadowFinding(migration: "mig_1", wallet: .applePay, kind: .agrees): 5])
            #expect(figures.watch == nil && figures.appCannot == AppCannotCount(served: 0, refused: 0))
        }
    }
}
