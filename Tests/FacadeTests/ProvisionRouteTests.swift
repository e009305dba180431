import Facade
import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import Testing

@Suite struct ProvisionRouteTests {
    private static let path = "/v1/cards/c1/provisionings"
    private static let body =
        #"{"wallet": "google_pay", "google_pay": {"wallet_id": "canary-wallet", "device_id": "canary-device"}}"#

    @Test func handsTheHandoffOverOnce() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await fixture.send("POST", Self.path, body: Self.body)
            #expect(answer.status == 201)
            let id = answer.json?["id"]?.string ?? ""
            #expect(id.hasPrefix("prov_"))
            #expect(
                answer.text == """
                    {"object":"provisioning","id":"\(id)","card":"c1","program":"rides","provider":"scripted",\
                    "connection":"main","wallet":"google_pay","channel":"in_app","origin":"app",\
                    "status":"handed_off","created_at":"2026-01-31T10:20:30.456Z","expires_at":null,\
                    "handoff":{"type":"google_pay_opaque_card","token_card":"opaque+/=","account_card":null,\
                    "network":4,"token_service_provider":null,"last4":"4242","display_name":"rides card"},\
                    "repairs":[],"warnings":[]}
                    """)
            let read = await fixture.send("GET", "/v1/provisionings/\(id)")
            #expect(read.status == 200 && read.json?["status"]?.string == "handed_off")
            #expect(read.json?["handoff"]?.isNull == true && !read.text.contains("opaque"))
            let list = await fixture.send("GET", "/v1/provisionings?card=c1&status=handed_off&provider=scripted")
            #expect(list.json?["data"]?.elements?.map { $0["id"]?.string } == [id])
            let other = await fixture.send("GET", "/v1/provisionings?status=refused")
            #expect(other.json?["data"]?.elements?.isEmpty == true)
        }
    }

    @Test func anAnswerThatCouldNotBeWrittenIsUndelivered() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await fixture.send("POST", Self.path, body: Self.body, delivery: .failed)
            let id = answer.json?["id"]?.string ?? ""
            #expect(await fixture.send("GET", "/v1/provisionings/\(id)").json?["status"]?.string == "undelivered")
            #expect(fixture.log.contains { $0.status == 499 && $0.route == "/v1/cards/{card}/provisionings" })
        }
    }

    @Test func aProblemNamesTheRecordAndTheProvider() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            fixture.provider.fail(
                with: ProvisioningError(
                    .cardIneligible, outcome: .refused, reason: "blocked",
                    upstream: UpstreamReport(status: 422, code: "card_blocked", requestID: "up_1")))
            let answer = await fixture.send("POST", Self.path, body: Self.body)
            #expect(answer.status == 422 && answer.code == "card_ineligible")
            #expect(answer.json?["outcome"]?.string == "refused")
            #expect(answer.json?["reason"]?.string == "blocked")
            #expect(answer.json?["provider"]?["code"]?.string == "card_blocked")
            let id = answer.json?["provisioning"]?.string ?? ""
            let read = await fixture.send("GET", "/v1/provisionings/\(id)")
            #expect(read.json?["status"]?.string == "refused")
            #expect(read.json?["failure"]?["code"]?.string == "card_ineligible")
        }
    }

    @Test func whatIsRefusedHereWasNotSent() async throws {
        try await FacadeFixture.run { fixture in
            let answers = [
                await fixture.send("POST", Self.path, key: nil, body: Self.body),
                await fixture.send("POST", Self.path, body: Self.body),
                await fixture.send("POST", Self.path, body: "{"),
                await fixture.send("POST", Self.path, body: "{}"),
            ]
            #expect(answers.map(\.code) == ["unauthenticated", "card_not_found", "malformed_json", "invalid_request"])
            #expect(answers.allSatisfy { $0.json?["outcome"]?.string == "not_sent" })
            #expect(answers.allSatisfy { $0.json?["retry_after"]?.isNull == true })
        }
    }

    @Test func asksOnlyForWhatTheServingSideNeeds() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let apple = await fixture.send(
                "POST", Self.path, body: #"{"wallet": "apple_pay", "apple_pay": {"certificates": ["A", "B"]}}"#)
            #expect(apple.status == 400 && apple.pointers == ["/apple_pay/nonce", "/apple_pay/nonce_signature"])
            let both = Self.body.replacing("{\"wallet\"", with: #"{"apple_pay": {"nonce": "!"}, "wallet""#)
            #expect(await fixture.send("POST", Self.path, body: both).status == 201)
            let mistyped = Self.body.replacing("{\"wallet\"", with: #"{"apple_pay": {"nonce": 1}, "wallet""#)
            #expect(await fixture.send("POST", Self.path, body: mistyped).pointers == ["/apple_pay/nonce"])
        }
    }

    @Test func aPlanIsTakenAsItWasGiven() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let wallets = await fixture.send("GET", "/v1/cards/c1/wallets?wallet=google_pay")
            let plan = wallets.json?["data"]?.elements?.first?["plan"]?.string ?? ""
            let good = Self.body.replacing("{\"wallet\"", with: "{\"plan\": \"\(plan)\", \"wallet\"")
            #expect(await fixture.send("POST", Self.path, body: good).status == 201)
            let cut = await fixture.send("POST", Self.path, body: good.replacing(plan, with: plan.dropLast()))
            #expect(cut.status == 400 && cut.code == "invalid_request" && cut.pointers == ["/plan"])
        }
    }

    @Test("I01, I02: a key with another body is told by its code")
    func aKeyBelongsToOneBody() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let key = [(name: "idempotency-key", value: "k1")]
            #expect(await fixture.send("POST", Self.path, headers: key, body: Self.body).status == 201)
            let other = await fixture.send(
                "POST", Self.path, headers: key, body: Self.body.replacing("canary-device", with: "another"))
            #expect(other.status == 422 && other.code == "idempotency_key_reused")
            #expect(other.json?["type"]?.string == "https://passgate.example/errors/idempotency_key_reused")
            // The same members in another order and spacing are the same request.
            let same =
                #"{"google_pay":{"device_id":"canary-device","wallet_id":"canary-wallet"},"wallet":"google_pay"}"#
            let quoted = [(name: "idempotency-key", value: "\"k1\"")]
            #expect(await fixture.send("POST", Self.path, headers: quoted, body: same).status == 201)
        }
    }

    @Test func passesTheDeadlineOn() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            _ = await fixture.send(
                "POST", Self.path, headers: [(name: "passgate-deadline", value: "2000")], body: Self.body)
            #expect((fixture.provider.asked.first?.deadline ?? .now) <= .now + .seconds(2))
        }
    }

    @Test("P01: no line of the log holds what was sent or answered")
    func logsNoSecret() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let headers = [(name: "idempotency-key", value: "canary-key"), (name: "x-canary", value: "canary")]
            _ = await fixture.send("POST", "\(Self.path)?canary=canary", headers: headers, body: Self.body)
            _ = await fixture.send("POST", Self.path, headers: headers, body: Self.body)
            _ = await fixture.send("CANARY", "/v1/cards/canary", headers: headers)
            _ = await fixture.send("GET", "/canary", headers: headers)
            let text = fixture.log.map(\.json).joined(separator: "\n")
            #expect(fixture.log.count == 5)
            for canary in ["canary", "CANARY", "opaque", "pgk_", "Lovelace"] {
                #expect(!text.contains(canary), "\(canary)")
            }
            #expect(
                text.contains(#""route":"/v1/cards/{card}/provisionings","status":201,"code":null,"key":"backend""#))
            #expect(fixture.log.map(\.method).contains("OTHER"))
        }
    }
}
