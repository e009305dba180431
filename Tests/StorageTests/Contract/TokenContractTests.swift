import ProviderTesting
import Provisioning
import Storage
import Testing

@Suite("Every store settles attempts by tokens and devices as promised")
struct TokenContractTests {
    /// Attempts of one card, each with its own handshake, sent as many milliseconds after the start as is told.
    private func withAttempts(
        _ kind: StoreKind, _ attempts: [(id: String, sentAfter: Int64, ending: ProvisioningStatus?)],
        _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            for attempt in attempts {
                let record = StoredProvisioning.sample(attempt.id, at: Moment.after(attempt.sentAfter))
                #expect(try await store.reserve(.sample(record, digest: Array(attempt.id.utf8))) == .reserved)
                guard let ending = attempt.ending else { continue }
                var ended = record.ended(ending, after: 700)
                ended.sentAt = record.createdAt
                if ending == .handedOff { ended.deliveredAt = ended.updatedAt }
                try await store.complete(ProvisioningCompletion(ended))
            }
            try await body(store, test)
        }
    }

    private static func report(
        _ tokens: [TokenSighting], observedAfter milliseconds: Int64, source: StoredSettlement.Source = .probe,
        card: CardKey = .rides("card_1"), providerCardID: String = "card_card_1"
    ) -> TokenReport {
        TokenReport(
            card: card, provider: "increase", connection: "increase_main", providerCardID: providerCardID,
            source: source,
            tokens: tokens,
            observedAt: Moment.after(milliseconds), receivedAt: Moment.after(milliseconds + 1))
    }

    private static func token(
        _ id: String = "token_1", _ status: TokenStatus = .active, after milliseconds: Int64,
        raw: String? = nil
    ) -> TokenSighting {
        TokenSighting(
            id: id, status: status, rawStatus: raw ?? status.rawValue, wallet: .applePay,
            createdAt: Moment.after(milliseconds), precisionMilliseconds: 1)
    }

    private static func status(_ id: String, _ store: any Store) async throws -> ProvisioningStatus? {
        try await store.provisioning(id, program: "rides")?.status
    }

    @Test(arguments: StoreKind.all)
    func afterATimeoutTheRepeatGetsTheTokenAndTheRecordSaysWhatSettledIt(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .unknown), ("prov_b", 20_000, .handedOff)]) {
            (store, test) async throws in
            let changed = try await store.settle(Self.report([Self.token(after: 30_000)], observedAfter: 40_000))
                .attempts
            #expect(changed.map(\.id) == ["prov_b"])
            #expect(try await Self.status("prov_a", store) == .unknown)
            let record = try #require(try await store.provisioning("prov_b", program: "rides"))
            #expect(record == changed.first)
            #expect(record.status == .active)
            #expect(record.settlement == StoredSettlement(source: .probe, at: Moment.after(40_001)))
            #expect(record.followUpAt == nil)
            #expect(record.timeline.suffix(2).map(\.step) == ["token_found", "active"])
            #expect(record.timeline.suffix(2).map(\.source) == ["provider", "provider"])
            #expect(record.timeline.last?.code == "active")
            await store.close()
            #expect(try await test.open().provisioning("prov_b", program: "rides") == record)
        }
    }

    @Test(arguments: StoreKind.all)
    func twoUnknownOnesAreMarkedAndStay(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .unknown), ("prov_b", 20_000, .unknown)]) {
            (store, _) async throws in
            for _ in 0..<2 {
                _ = try await store.settle(Self.report([Self.token(after: 30_000)], observedAfter: 40_000))
            }
            for id in ["prov_a", "prov_b"] {
                let record = try #require(try await store.provisioning(id, program: "rides"))
                #expect(record.status == .unknown && record.isAmbiguous && record.settlement == nil)
                #expect(record.timeline.count { $0.step == "ambiguous" } == 1)
            }
            // A device that speaks up settles one of them, and the token is then the other's.
            _ = try await store.note(Self.device("prov_b", .failed, after: 50_000))
            _ = try await store.settle(Self.report([Self.token(after: 30_000)], observedAfter: 60_000))
            let record = try #require(try await store.provisioning("prov_a", program: "rides"))
            #expect(record.status == .active && !record.isAmbiguous)
        }
    }

    @Test(arguments: StoreKind.all)
    func aTokenStaysWithItsAttempt(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .unknown), ("prov_b", 20_000, nil)]) { (store, _) async throws in
            let first = Self.token("token_1", .requested, after: 10_000)
            _ = try await store.settle(Self.report([first], observedAfter: 15_000))
            #expect(try await Self.status("prov_a", store) == .requested)
            var ended = StoredProvisioning.sample("prov_b", at: Moment.after(20_000)).ended(.handedOff)
            ended.deliveredAt = ended.updatedAt
            try await store.complete(ProvisioningCompletion(ended))
            var later = first
            later.status = .active
            let changed = try await store.settle(Self.report([later], observedAfter: 60_000)).attempts
            #expect(changed.map(\.id) == ["prov_a"] && changed.first?.status == .active)
            #expect(try await Self.status("prov_b", store) == .handedOff)
        }
    }

    @Test(arguments: StoreKind.all)
    func nothingIsDecidedWhileAnotherAttemptIsUnderWay(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .unknown), ("prov_b", 20_000, nil)]) { (store, _) async throws in
            let report = Self.report([Self.token(after: 21_000)], observedAfter: 22_000)
            #expect(try await store.settle(report).attempts.isEmpty)
            #expect(try await Self.status("prov_a", store) == .unknown)
        }
    }

    @Test(arguments: StoreKind.all)
    func theProcessorsTimeNeverGoesBack(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .handedOff)]) { (store, _) async throws in
            let words: [(TokenStatus, Int64, ProvisioningStatus)] = [
                (.verificationRequired, 20_000, .verificationRequired), (.active, 30_000, .active),
                (.requested, 29_999, .active), (.declined, 29_000, .active), (.requested, 30_001, .requested),
                (.unknown, 30_002, .requested), (.suspended, 30_003, .active), (.deleted, 30_004, .active),
                (.declined, 30_005, .declined), (.active, 30_006, .declined),
            ]
            for (status, moment, expected) in words {
                _ = try await store.settle(
                    Self.report([Self.token("token_1", status, after: 5000)], observedAfter: moment, source: .webhook))
                #expect(try await Self.status("prov_a", store) == expected, "\(status) as of \(moment)")
            }
            let record = try #require(try await store.provisioning("prov_a", program: "rides"))
            #expect(record.settlement?.source == .webhook)
            #expect(record.timeline.last?.source == "webhook")
        }
    }

    @Test(arguments: StoreKind.all, [TokenStatus.unknown, .deleted, .requested])
    func aTokenWhoseStateSaysLittleIsNeverActiveAndNeverFailed(_ kind: StoreKind, _ status: TokenStatus) async throws {
        try await withAttempts(kind, [("prov_a", 0, .unknown)]) { (store, _) async throws in
            let token = Self.token("token_1", status, after: 5000, raw: "a word\nof theirs")
            _ = try await store.settle(Self.report([token], observedAfter: 6000))
            let record = try #require(try await store.provisioning("prov_a", program: "rides"))
            #expect(record.status == .requested)
            #expect(record.timeline.allSatisfy { !($0.code ?? "").contains("theirs") })
        }
    }

    @Test(arguments: StoreKind.all)
    func tokensOfAnotherCardOfTheProcessorAreNobodys(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .unknown)]) { (store, _) async throws in
            let tokens = [Self.token(after: 5000)]
            let strangers = [
                Self.report(tokens, observedAfter: 6000, card: .rides("card_2")),
                Self.report(tokens, observedAfter: 6000, providerCardID: "card_other"),
                Self.report(tokens, observedAfter: 6000, providerCardID: ""), Self.report([], observedAfter: 6000),
            ]
            for report in strangers { #expect(try await store.settle(report).attempts.isEmpty) }
            #expect(try await Self.status("prov_a", store) == .unknown)
        }
    }

    @Test(arguments: StoreKind.all)
    func oneTokenIsOneAttemptsInGeneratedHistories(_ kind: StoreKind) async throws {
        var random = DeterministicRandom(seed: 9)
        for round in 0..<12 {
            let endings: [ProvisioningStatus?] = [.unknown, .handedOff, .undelivered, .refused]
            let attempts = (0..<5).map { number in
                (
                    id: "prov_\(round)_\(number)", sentAfter: Int64.random(in: 0...40, using: &random) * 1000,
                    ending: endings.randomElement(using: &random) ?? nil
                )
            }
            let tokens = (0..<4).map { Self.token("token_\($0)", after: Int64.random(in: 0...60_000, using: &random)) }
            let orders = (0..<4).map { _ in tokens.shuffled(using: &random).dropLast() }
            try await withAttempts(kind, attempts) { (store, _) async throws in
                for (number, order) in orders.enumerated() {
                    _ = try await store.settle(Self.report(Array(order), observedAfter: 70_000 + Int64(number)))
                }
                let query = ProvisioningQuery(program: "rides", page: PageRequest())
                let records = try await store.provisionings(query).elements
                let found = records.flatMap { record in record.timeline.filter { $0.step == "token_found" } }
                #expect(found.count <= tokens.count, "each token is found for one attempt at most")
                for record in records {
                    let isSettled = record.settlement != nil
                    #expect(isSettled == (record.status == .active))
                    if record.status == .active { #expect(record.timeline.contains { $0.step == "token_found" }) }
                    let began = attempts.first { $0.id == record.id }?.ending
                    if began == .refused || began == .undelivered { #expect(record.status == began) }
                }
            }
        }
    }

    // MARK: Devices

    private static func device(
        _ id: String, _ result: DeviceReport.Result, after milliseconds: Int64, code: String? = nil,
        domain: String? = nil
    ) -> DeviceReport {
        DeviceReport(
            id: id, program: "rides", result: result, code: code, domain: domain, at: Moment.after(milliseconds))
    }

    @Test(arguments: StoreKind.all)
    func aReportThatFindsItSendingCompletesItFirst(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, nil)]) { (store, _) async throws in
            let noted = try #require(try await store.note(Self.device("prov_a", .added, after: 900)))
            #expect(noted.status == .added && noted.deliveredAt == Moment.after(900))
            #expect(noted.timeline.suffix(2).map(\.step) == ["handed_off", "added"])
            // The end that comes after adds what the gateway learnt, and changes nothing else.
            var ended = StoredProvisioning.sample("prov_a").ended(.handedOff, after: 901)
            ended.deliveredAt = ended.updatedAt
            try await store.complete(ProvisioningCompletion(ended))
            let record = try #require(try await store.provisioning("prov_a", program: "rides"))
            #expect(record.status == .added && record.handoffDigest == ended.handoffDigest)
            #expect(record.settlement?.source == .device)
        }
    }

    @Test(arguments: StoreKind.all)
    func aReportThatTheTableDoesNotAllowIsKeptAndMovesNothing(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .refused)]) { (store, _) async throws in
            let noted = try #require(
                try await store.note(Self.device("prov_a", .failed, after: 900, code: "1", domain: "PKPass")))
            #expect(noted.status == .refused && noted.settlement == nil)
            let step = try #require(noted.timeline.last)
            #expect(step.step == "failed" && step.source == "device" && step.code == "1")
            #expect(step.detail == "The code is one of PKPass. The status stays refused.")
            #expect(try await store.provisioning("prov_a", program: "rides") == noted)
            for _ in 0..<300 { _ = try await store.note(Self.device("prov_a", .added, after: 901)) }
            #expect(try await store.provisioning("prov_a", program: "rides")?.timeline.count == 200)
        }
    }

    @Test(arguments: StoreKind.all)
    func aReportOnAnotherProgramsAttemptIsUnknown(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .handedOff)]) { (store, _) async throws in
            var foreign = Self.device("prov_a", .added, after: 900)
            foreign.program = "meals"
            #expect(try await store.note(foreign) == nil)
            #expect(try await store.note(Self.device("prov_x", .added, after: 900)) == nil)
            #expect(try await Self.status("prov_a", store) == .handedOff)
        }
    }

    @Test(arguments: StoreKind.all)
    func anErasedCardsTokensAreForgotten(_ kind: StoreKind) async throws {
        try await withAttempts(kind, [("prov_a", 0, .handedOff)]) { (store, _) async throws in
            _ = try await store.settle(Self.report([Self.token(after: 5000)], observedAfter: 6000))
            #expect(try await store.eraseCard(.rides("card_1"), audit: .backend))
            let declined = Self.token("token_1", .declined, after: 5000)
            #expect(try await store.settle(Self.report([declined], observedAfter: 7000)).attempts.isEmpty)
            #expect(try await Self.status("prov_a", store) == .active)
        }
    }
}
