import Provisioning
import Storage
import Testing

@Suite("Every store completes attempts as promised")
struct CompletionContractTests {
    /// Runs `body` on a store with one card and one attempt that is being sent.
    private func withAttempt(
        _ kind: StoreKind, claim: IdempotencyClaim? = nil,
        _ body: @Sendable (any Store, any StoreUnderTest) async throws -> Void
    ) async throws {
        try await kind.with { test in
            let store = try await test.open()
            _ = try await store.putCard(.sample(), audit: .backend)
            #expect(try await store.reserve(.sample(claim: claim)) == .reserved)
            try await body(store, test)
        }
    }

    @Test(arguments: StoreKind.all, [ProvisioningStatus.refused, .unknown, .undelivered, .handedOff])
    func anEndIsSeenAtOnceAndKept(_ kind: StoreKind, _ status: ProvisioningStatus) async throws {
        try await withAttempt(kind) { (store, test) async throws in
            let ended = StoredProvisioning.sample().ended(status)
            try await store.complete(ProvisioningCompletion(ended))
            #expect(try await store.provisioning("prov_1", program: "rides") == ended)
            #expect(try await store.provisioning("prov_1", program: "meals") == nil)
            await store.close()
            #expect(try await test.open().provisioning("prov_1", program: "rides") == ended)
        }
    }

    @Test(arguments: StoreKind.all)
    func listsSeeAnEndAtOnceInTheirFilters(_ kind: StoreKind) async throws {
        try await withAttempt(kind) { (store, _) async throws in
            try await store.complete(ProvisioningCompletion(StoredProvisioning.sample().ended(.refused)))
            func ids(_ status: ProvisioningStatus) async throws -> [String] {
                let query = ProvisioningQuery(program: "rides", status: status, page: PageRequest())
                return try await store.provisionings(query).elements.map(\.id)
            }
            #expect(try await ids(.refused) == ["prov_1"])
            #expect(try await ids(.sending) == [])
        }
    }

    @Test(arguments: StoreKind.all)
    func anAttemptThatWasNotSentGivesItsHandshakeBack(_ kind: StoreKind) async throws {
        try await withAttempt(kind) { (store, _) async throws in
            let ended = StoredProvisioning.sample().ended(.refused)
            try await store.complete(ProvisioningCompletion(ended, releasing: Array("digest".utf8)))
            #expect(try await store.reserve(.sample(.sample("prov_2"))) == .reserved)
        }
    }

    @Test(arguments: StoreKind.all)
    func anAttemptKeepsAHandshakeThatAnotherSpent(_ kind: StoreKind) async throws {
        try await withAttempt(kind) { (store, _) async throws in
            #expect(try await store.reserve(.sample(.sample("prov_2"), digest: [9])) == .reserved)
            let other = StoredProvisioning.sample("prov_2").ended(.refused)
            try await store.complete(ProvisioningCompletion(other, releasing: Array("digest".utf8)))
            #expect(try await store.reserve(.sample(.sample("prov_3"))) == .handshakeReused)
        }
    }

    @Test(arguments: StoreKind.all)
    func aLaterEndOverrulesTheSweep(_ kind: StoreKind) async throws {
        for status in [ProvisioningStatus.handedOff, .undelivered, .refused] {
            try await withAttempt(kind) { (store, _) async throws in
                try await store.sweep(at: Moment.after(20_001), retention: Retention())
                #expect(try await store.provisioning("prov_1", program: "rides")?.status == .unknown)
                let ended = StoredProvisioning.sample().ended(status, after: 25_000)
                try await store.complete(ProvisioningCompletion(ended))
                let record = try #require(try await store.provisioning("prov_1", program: "rides"))
                #expect(record.status == status)
                #expect(record.handoffDigest == ended.handoffDigest && record.failure == ended.failure)
                // The sweep's step stays, in its place in time.
                #expect(record.timeline.map(\.step) == ["received", "checked", "unknown", status.rawValue])
            }
        }
    }

    @Test(arguments: StoreKind.all)
    func aSecondEndDoesNotOverruleTheFirst(_ kind: StoreKind) async throws {
        try await withAttempt(kind) { (store, _) async throws in
            let first = StoredProvisioning.sample().ended(.handedOff)
            try await store.complete(ProvisioningCompletion(first))
            try await store.complete(ProvisioningCompletion(StoredProvisioning.sample().ended(.unknown, after: 900)))
            #expect(try await store.provisioning("prov_1", program: "rides")?.status == .handedOff)
            await store.close()
        }
    }

    @Test(arguments: StoreKind.all)
    func anEndOfAnUnknownAttemptChangesNothing(_ kind: StoreKind) async throws {
        try await withAttempt(kind) { (store, _) async throws in
            try await store.complete(ProvisioningCompletion(StoredProvisioning.sample("prov_x").ended(.handedOff)))
            #expect(try await store.provisioning("prov_x", program: "rides") == nil)
            let query = ProvisioningQuery(program: "rides", page: PageRequest())
            #expect(try await store.provisionings(query).elements.map(\.id) == ["prov_1"])
        }
    }

    @Test(arguments: StoreKind.all)
    func anEndDoesNotBringAnErasedIdBack(_ kind: StoreKind) async throws {
        try await withAttempt(kind) { (store, test) async throws in
            try await store.complete(ProvisioningCompletion(StoredProvisioning.sample().ended(.handedOff)))
            #expect(try await store.eraseCard(.rides("card_1"), audit: .backend))
            try await store.complete(ProvisioningCompletion(StoredProvisioning.sample().ended(.handedOff)))
            #expect(try await store.provisioning("prov_1", program: "rides")?.providerCardID == "")
            await store.close()
            #expect(try await test.open().provisioning("prov_1", program: "rides")?.providerCardID == "")
        }
    }

    @Test(arguments: StoreKind.all)
    func aClosedStoreSaysSo(_ kind: StoreKind) async throws {
        try await withAttempt(kind) { (store, _) async throws in
            await store.close()
            let completion = ProvisioningCompletion(StoredProvisioning.sample().ended(.handedOff))
            await #expect(throws: StoreFailure.unavailable("The store is closed.")) {
                try await store.complete(completion)
            }
            await #expect(throws: StoreFailure.unavailable("The store is closed.")) {
                try await store.card(.rides("card_1"))
            }
            await #expect(throws: StoreFailure.unavailable("The store is closed.")) {
                try await store.reserve(.sample(.sample("prov_2")))
            }
        }
    }
}
