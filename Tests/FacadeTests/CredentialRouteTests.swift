import Facade
import HTTPServer
import ProviderKit
import Provisioning
import Testing

@Suite struct CredentialRouteTests {
    private static let path = "/v1/cards/c1/wallet_credentials"
    private static let body = #"{"purpose": "state"}"#

    @Test func givesAFreshCredentialEachTime() async throws {
        try await FacadeFixture.run { fixture in
            #expect(await fixture.makeCard("c1", connection: "sdk").status == 201)
            for count in 1...2 {
                let answer = await fixture.send("POST", Self.path, body: Self.body)
                #expect(answer.status == 201)
                #expect(
                    answer.text == """
                        {"object":"wallet_credential","purpose":"state","token":"canary-token-\(count)",\
                        "expires_at":"2026-01-31T10:30:30.456Z"}
                        """)
            }
            let body = #"{"purpose": "activate", "wallet": "apple_pay", "token": "tok_1"}"#
            #expect(await fixture.send("POST", Self.path, body: body).status == 201)
            let asked = fixture.credentialProvider.asked
            #expect(asked.map(\.purpose) == [.state, .state, .activate])
            #expect(asked.last?.wallet == .applePay && asked.last?.token == "tok_1")
            #expect(asked.allSatisfy { $0.card.providerCardID == "card_ridesc1" })
        }
    }

    @Test func isNotCountedAsAnAttempt() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1", connection: "sdk")
            #expect(await fixture.send("POST", Self.path, body: Self.body).status == 201)
            let list = await fixture.send("GET", "/v1/provisionings")
            #expect(list.json?["data"]?.elements?.isEmpty == true)
            #expect(!fixture.log.map(\.json).joined().contains("canary"))
        }
    }

    @Test func aReplayLeavesTheTokenOut() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1", connection: "sdk")
            let key = [(name: "idempotency-key", value: "k1")]
            let first = await fixture.send("POST", Self.path, headers: key, body: Self.body)
            #expect(first.status == 201 && first.json?["token"]?.string == "canary-token-1")
            let again = await fixture.send("POST", Self.path, headers: key, body: #"{"purpose":"state","wallet":null}"#)
            #expect(again.status == 422 && again.code == "idempotency_key_reused")
            let replay = await fixture.send("POST", Self.path, headers: key, body: #"{ "purpose" : "state" }"#)
            #expect(replay.status == 201 && replay.header("Content-Type") == "application/json")
            #expect(
                replay.text == """
                    {"object":"wallet_credential","purpose":"state","token":null,\
                    "expires_at":"2026-01-31T10:30:30.456Z"}
                    """)
            #expect(fixture.credentialProvider.asked.count == 1)
            // The same key on another path is another key.
            _ = await fixture.makeCard("c2", connection: "sdk")
            let other = await fixture.send("POST", "/v1/cards/c2/wallet_credentials", headers: key, body: Self.body)
            #expect(other.json?["token"]?.string == "canary-token-2")
        }
    }

    @Test func aFailureThatAWaitHealsRunsAgainAndAnyOtherComesAgain() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1", connection: "sdk")
            let key = [(name: "idempotency-key", value: "k1")]
            fixture.credentialProvider.fail(with: ProvisioningError(.providerUnavailable, outcome: .notSent))
            let down = await fixture.send("POST", Self.path, headers: key, body: Self.body)
            #expect(down.status == 503 && down.json?["retry"]?.string == "after_delay")
            fixture.credentialProvider.fail(with: ProvisioningError(.providerCardNotFound, outcome: .refused))
            let missing = await fixture.send("POST", Self.path, headers: key, body: Self.body)
            #expect(missing.status == 422 && missing.code == "provider_card_not_found")
            fixture.credentialProvider.fail(with: nil)
            let same = await fixture.send("POST", Self.path, headers: key, body: Self.body)
            #expect(same.status == 422 && same.code == "provider_card_not_found")
            #expect(fixture.credentialProvider.asked.count == 2)
        }
    }

    @Test(arguments: [
        ("{}", ["/purpose"]), (#"{"purpose": null}"#, ["/purpose"]), (#"{"purpose": "login"}"#, ["/purpose"]),
        (#"{"purpose": 1}"#, ["/purpose"]), (#"{"purpose": "state", "porpoise": 1}"#, ["/porpoise"]),
        (#"{"purpose": "state", "wallet": "garmin_pay", "token": 7}"#, ["/wallet", "/token"]),
        (#"{"purpose": "state", "purpose": "state"}"#, ["/purpose"]),
    ])
    func theBodyIsReadStrictly(_ body: String, _ pointers: [String]) async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1", connection: "sdk")
            let answer = await fixture.send("POST", Self.path, body: body)
            #expect(answer.status == 400 && answer.code == "invalid_request")
            #expect(answer.pointers == pointers)
            #expect(answer.json?["outcome"]?.isNull == true)
            #expect(fixture.credentialProvider.asked.isEmpty)
        }
    }

    @Test func whatTheProcessorHasNoCredentialForIsUnsupported() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1", connection: "sdk")
            _ = await fixture.makeCard("c2")
            let session = await fixture.send("POST", Self.path, body: #"{"purpose": "session"}"#)
            #expect(session.status == 400 && session.code == "operation_unsupported")
            #expect(session.json?["detail"]?.string == "SDK has no credential for `session`.")
            #expect(session.json?["retry"]?.string == "never")
            #expect(fixture.credentialProvider.asked.isEmpty)
            let other = await fixture.send("POST", "/v1/cards/c2/wallet_credentials", body: Self.body)
            #expect(other.status == 400 && other.code == "operation_unsupported")
            let wallet = #"{"purpose": "state", "wallet": "samsung_pay"}"#
            #expect(await fixture.send("POST", Self.path, body: wallet).code == "wallet_unsupported")
        }
    }

    @Test func whoMayNotProvisionGetsNone() async throws {
        let key = FacadeFixture.key(
            "pgk_reader-0000000000000000000000000000", named: "reader", scopes: [.provisioningRead, .cardsWrite],
            programs: ["rides"])
        try await FacadeFixture.run(keys: [key]) { fixture in
            _ = await fixture.makeCard("c1", connection: "sdk")
            let answer = await fixture.send(
                "POST", Self.path, key: "pgk_reader-0000000000000000000000000000", body: Self.body)
            #expect(answer.status == 403 && answer.code == "permission_denied")
            #expect(await fixture.send("POST", "\(Self.path)?x=1", body: Self.body).code == "invalid_request")
            #expect(
                await fixture.send("POST", "/v1/cards/c9/wallet_credentials", body: Self.body).code == "card_not_found")
            #expect(await fixture.send("GET", Self.path).header("Allow") == "POST, OPTIONS")
            #expect(fixture.credentialProvider.asked.isEmpty)
        }
    }
}
