import Provisioning
import Storage
import Testing

@Suite("Every store keeps idempotency keys as promised")
struct IdempotencyContractTests {
    static let endings: [IdempotencyEnding] = [
        .problem(code: .providerRejected, retry: .never, status: 422, body: #"{"code":"provider_rejected","d":"Ü"}"#),
        .handoff(provisioning: "prov_1", upstreamKey: "prov_key", at: Moment.after(3)),
        .handoff(provisioning: "prov_1", upstreamKey: nil, at: Moment.after(3)),
        .answer(status: 201, body: "{}"),
    ]

    private func withCard(
        _ kind: StoreKind, _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            try await body(store, test)
        }
    }

    private func end(_ record: StoredProvisioning, as ending: IdempotencyEnding) -> ProvisioningCompletion {
        ProvisioningCompletion(record: record.ended(.refused), releasedHandshake: nil, idempotency: (.sample(), ending))
    }

    @Test(arguments: StoreKind.all, endings)
    func anEndingIsSeenAtOnceAndKept(_ kind: StoreKind, _ ending: IdempotencyEnding) async throws {
        try await withCard(kind) { (store, test) async throws in
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
            try await store.complete(end(.sample(), as: ending))
            let expected = IdempotencyRecord(
                fingerprint: Array("fingerprint".utf8), ending: ending, firstUsedAt: Moment.start, deadlineAt: nil,
                provisioning: "prov_1")
            #expect(try await store.idempotency(.sample(), at: Moment.after(1)) == expected)
            let next = Reservation.sample(.sample("prov_2"), digest: [2], claim: .sample())
            #expect(try await store.reserve(next) == .idempotencyKeyTaken(expected))
            await store.close()
            #expect(try await test.open().idempotency(.sample(), at: Moment.after(1)) == expected)
        }
    }

    /// It is there before anything is sent, for whoever repeats what nobody saw the end of.
    @Test(arguments: StoreKind.all)
    func theKeyOfTheCallsIsKeptWithTheReservation(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            var claim = IdempotencyClaim.sample()
            claim.upstreamKey = UpstreamKey(text: "prov_key", madeAt: Moment.after(7))
            #expect(try await store.reserve(.sample(claim: claim)) == .reserved)
            let running = try await test.open().idempotency(.sample(), at: Moment.after(1))
            #expect(running?.upstreamKey == claim.upstreamKey && running?.ending == nil)
            let ending = IdempotencyEnding.problem(code: .providerTimeout, retry: .sameRequest, status: 504, body: "{}")
            try await store.complete(end(.sample(), as: ending))
            let kept = try await store.idempotency(.sample(), at: Moment.after(1))
            #expect(kept?.upstreamKey == claim.upstreamKey && kept?.ending == ending)
            // The next attempt's calls have a key of their own, or none.
            claim.upstreamKey = nil
            claim.replacing = kept
            #expect(try await store.reserve(.sample(.sample("prov_2"), digest: [2], claim: claim)) == .reserved)
            let next = try await store.idempotency(.sample(), at: Moment.after(1))
            #expect(next?.provisioning == "prov_2" && next?.upstreamKey == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func keysDifferByProgramRouteAndText(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            let keys = [
                IdempotencyKey(program: "rides", route: "POST /v1/a", key: "k"),
                IdempotencyKey(program: "meals", route: "POST /v1/a", key: "k"),
                IdempotencyKey(program: "rides", route: "POST /v1/b", key: "k"),
                IdempotencyKey(program: "rides", route: "POST /v1/a", key: "K"),
            ]
            for key in keys {
                #expect(try await store.claim(IdempotencyClaim(key: key, fingerprint: [1]), at: Moment.start) == nil)
            }
            for key in keys {
                #expect(try await store.claim(IdempotencyClaim(key: key, fingerprint: [1]), at: Moment.start) != nil)
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func aRequestThatNeverEndedLeavesItsKeyToTheSameRequestFiveSecondsAfterItsDeadline(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
            let use = try #require(try await store.idempotency(.sample(), at: Moment.after(20_001)))
            #expect(!use.isAbandoned(at: Moment.after(20_000)))
            #expect(use.isAbandoned(at: Moment.after(20_001)))
            let late = StoredProvisioning.sample("prov_2", at: Moment.after(20_001))
            let blind = Reservation.sample(late, digest: [2], claim: .sample())
            #expect(try await store.reserve(blind) == .idempotencyKeyTaken(use))
            #expect(try await store.claim(.sample(), at: Moment.after(20_001)) == use)
            let seeing = Reservation.sample(late, digest: [2], claim: .sample(replacing: use))
            #expect(try await store.reserve(seeing) == .reserved)
            #expect(try await store.reserve(seeing) != .reserved)
        }
    }

    @Test(arguments: StoreKind.all)
    func anEndComesTooLateForAKeyThatAnotherAttemptHas(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
            let second = StoredProvisioning.sample("prov_2", at: Moment.after(20_001))
            let seen = try await store.idempotency(.sample(), at: Moment.after(20_001))
            let claim = IdempotencyClaim.sample(replacing: seen)
            #expect(try await store.reserve(.sample(second, digest: [2], claim: claim)) == .reserved)
            try await store.complete(end(.sample(), as: Self.endings[0]))
            let use = try await store.idempotency(.sample(), at: Moment.after(20_002))
            #expect(use?.ending == nil && use?.firstUsedAt == Moment.start)
            await store.close()
        }
    }

    @Test(arguments: StoreKind.all)
    func aFinishedKeyIsFreeAfterADay(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
            try await store.complete(end(.sample(), as: Self.endings[0]))
            #expect(try await store.idempotency(.sample(), at: Moment.after(Moment.day - 1)) != nil)
            #expect(try await store.idempotency(.sample(), at: Moment.after(Moment.day)) == nil)
            try await store.sweep(at: Moment.after(Moment.day), retention: Retention())
            #expect(
                try await store.claim(IdempotencyClaim(key: .sample(), fingerprint: [1]), at: Moment.after(Moment.day))
                    == nil)
        }
    }

    @Test(arguments: StoreKind.all)
    func aKeyIsRunAgainOnlyAsItWasSeen(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
            try await store.complete(end(.sample(), as: Self.endings[0]))
            let seen = try #require(try await store.idempotency(.sample(), at: Moment.after(1)))
            let claim = IdempotencyClaim.sample(replacing: seen)
            let results = try await withThrowingTaskGroup(of: ReservationResult.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        let record = StoredProvisioning.sample("again_\(number)", at: Moment.after(1000))
                        return try await store.reserve(.sample(record, digest: nil, claim: claim))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(results.count { $0 == .reserved } == 1)
            // A day is counted from the first use.
            #expect(try await store.idempotency(.sample(), at: Moment.after(1001))?.firstUsedAt == Moment.start)
        }
    }

    @Test(arguments: StoreKind.all)
    func aClaimHoldsUntilItIsFinishedAndItsAnswerAfter(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, test) async throws in
            #expect(try await store.claim(IdempotencyClaim(key: .sample(), fingerprint: [1]), at: Moment.start) == nil)
            let running = try await store.claim(IdempotencyClaim(key: .sample(), fingerprint: [2]), at: Moment.after(1))
            #expect(running?.fingerprint == [1] && running?.ending == nil && running?.deadlineAt != nil)
            try await store.finish(.sample(), as: Self.endings[3], at: Moment.after(2))
            let finished = try await test.open().claim(
                IdempotencyClaim(key: .sample(), fingerprint: [1]), at: Moment.after(3))
            #expect(finished?.ending == Self.endings[3])
        }
    }

    @Test(arguments: StoreKind.all)
    func aClaimThatIsNeverFinishedIsLeftToTheSameRequest(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            var claim = IdempotencyClaim(key: .sample(), fingerprint: [1])
            #expect(try await store.claim(claim, at: Moment.start) == nil)
            let left = try #require(try await store.claim(claim, at: Moment.after(5 * 60_000)))
            #expect(left.isAbandoned(at: Moment.after(5 * 60_000)))
            claim.replacing = left
            #expect(try await store.claim(claim, at: Moment.after(5 * 60_000)) == nil)
            let next = try await store.idempotency(.sample(), at: Moment.after(5 * 60_000))
            #expect(next?.firstUsedAt == Moment.start)
        }
    }

    @Test(arguments: StoreKind.all)
    func aFinishedKeyIsClaimedAgainOnlyAsItWasSeen(_ kind: StoreKind) async throws {
        try await withCard(kind) { (store, _) async throws in
            let claim = IdempotencyClaim(key: .sample(), fingerprint: [1])
            #expect(try await store.claim(claim, at: Moment.start) == nil)
            try await store.finish(.sample(), as: Self.endings[0], at: Moment.after(1))
            let seen = try #require(try await store.idempotency(.sample(), at: Moment.after(2)))
            #expect(try await store.claim(claim, at: Moment.after(3)) == seen)
            var again = claim
            again.replacing = seen
            #expect(try await store.claim(again, at: Moment.after(4)) == nil)
            #expect(try await store.claim(again, at: Moment.after(5))?.ending == nil)
            try await store.finish(.sample(), as: Self.endings[3], at: Moment.after(6))
            // A day is counted from the first use.
            #expect(try await store.idempotency(.sample(), at: Moment.after(7))?.firstUsedAt == Moment.start)
        }
    }
}
