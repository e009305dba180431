import CheckoutEmulator
import Foundation
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing

/// Processors' webhooks into the real gateway, over real sockets.
@Suite(.serialized)
struct WebhookEndToEndTests {
    private func withStripe(_ body: (House) async throws -> Void) async throws {
        try await House.with({ [StripeEmulator(json: JSONParser(), network: $0)] }) { house in
            let card = EmulatedCard(id: "ic_ok", last4: "4242", network: .visa)
            let answer = try await house.rehearsal.register("card_1", as: card, at: "stripe_demo")
            #expect(answer.status == 201, "\(answer.problemLine)")
            try await body(house)
        }
    }

    private static func event(
        _ id: String = "evt_1", type: String = "issuing_token.updated", token: String = "intok_1",
        status: String = "active", card: String = "ic_ok", after seconds: Int64 = 0
    ) -> String {
        let now = SandboxClock().now.seconds
        return """
            {"id":"\(id)","object":"event","type":"\(type)","created":\(now + seconds),"livemode":false,
            "data":{"object":{"id":"\(token)","object":"issuing.token","card":"\(card)","created":\(now),
            "status":"\(status)","wallet_provider":"google_pay","last4":"9341","livemode":false}}}
            """
    }

    private func deliver(_ body: String, _ house: House) async throws -> Int {
        try await house.deliver(body, to: "stripe_demo", SignedWebhook.stripe(body)).status
    }

    private func statuses(_ house: House) async throws -> [String?] {
        try await house.list("/v1/events?type=token.*").map { $0["data"]?["status"]?.string }
    }

    @Test func aWebhookSettlesTheAttemptThatItsTokenCameFrom() async throws {
        try await withStripe { house in
            let sdk = try #require(house.sandbox.emulator(named: "stripe")?.sdk)
            let phone = SimulatedAndroidPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone, sdk: sdk)
            let attempt = try #require(answer.json?["id"]?.string, "\(answer.problemLine)")
            _ = try await sdk.redeem(try #require(answer.json?["handoff"]), for: .googlePay)
            let emulator = try #require(house.sandbox.emulator(named: "stripe"))
            let list = await emulator.handle(
                EmulatedRequest(
                    method: "GET", path: "/v1/issuing/tokens", query: "card=ic_ok",
                    headers: [("authorization", "Bearer \(StripeEmulator.secretKey)")]))
            let token = try #require(
                try JSONParser().parse(list.body).root["data"]?.elements?.first?["id"]?.string)
            #expect(try await deliver(Self.event(type: "issuing_token.created", token: token), house) == 200)
            try await house.wait {
                let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(attempt)")
                return record.json?["settlement"]?["by"]?.string == "webhook"
            }
            let steps = try await house.list("/v1/provisionings/\(attempt)/timeline")
            #expect(steps.suffix(2).map { $0["source"]?.string } == ["webhook", "webhook"])
            #expect(steps.suffix(2).map { $0["step"]?.string } == ["token_found", "active"])
            let events = try await house.list("/v1/events?card=card_1")
            #expect(
                events.map { $0["type"]?.string } == [
                    "provisioning.handed_off", "token.active", "provisioning.active",
                ])
            let told = try #require(events[1]["data"])
            #expect(told["provisioning"]?.string == attempt)
            // The device's details were fetched when the token was made.
            let read = try await house.gateway.client.send(.get, "/v1/tokens/\(told["id"]?.string ?? "")")
            #expect(read.json?["device"]?["name"]?.string == "Simulated device")
            let calls = house.sandbox.requests(to: "stripe").filter { $0.request.path.contains("/tokens/\(token)") }
            #expect(calls.first?.request.query == "expand%5B%5D=network_data")
        }
    }

    @Test func w19FiftyParallelPostsAreAppliedOnce() async throws {
        try await withStripe { house in
            let body = Self.event()
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await house.deliver(body, to: "stripe_demo", SignedWebhook.stripe(body)).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses == [Int](repeating: 200, count: 50))
            // What comes after shows that nothing of it is left.
            #expect(try await deliver(Self.event("evt_2", status: "suspended", after: 1), house) == 200)
            try await house.wait { try await self.statuses(house).last == "suspended" }
            #expect(try await self.statuses(house) == ["active", "suspended"])
        }
    }

    @Test func w18LateNewsMovesNothingBack() async throws {
        try await withStripe { house in
            for (id, status, after) in [("evt_1", "active", 0), ("evt_2", "requested", -60), ("evt_3", "deleted", 2)] {
                #expect(try await deliver(Self.event(id, status: status, after: Int64(after)), house) == 200)
                // One after the other: each is read before the next comes.
                try await house.wait {
                    try await self.metric("stripe_demo", "applied", house) == ["evt_1": 1, "evt_2": 2, "evt_3": 3][id]
                }
            }
            #expect(try await self.statuses(house) == ["active", "deleted"])
        }
    }

    private func metric(_ connection: String, _ outcome: String, _ house: House) async throws -> Int {
        let answer = try await house.transport.send(
            UpstreamRequest(
                .get, "http://127.0.0.1:\(house.gateway.configuration.adminPort)/metrics", deadline: .now + .seconds(10)
            ))
        let text = answer.body.revealText() ?? ""
        let line = text.split(separator: "\n").first {
            $0.hasPrefix("passgate_deliveries_total{connection=\"\(connection)\",outcome=\"\(outcome)\"}")
        }
        return line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
    }

    @Test func whatIsNotSignedIsRefusedAndWhatIsOfNoUseIsTaken() async throws {
        try await withStripe { house in
            let body = Self.event()
            let forged = try await house.deliver(body, to: "stripe_demo", SignedWebhook.stripe(body, secret: "whsec_x"))
            #expect(forged.status == 401)
            #expect(try JSONParser().parse(forged.body).root["code"]?.string == "signature_invalid")
            #expect(try await house.deliver(body, to: "nobody", SignedWebhook.stripe(body)).status == 404)
            let thin = #"{"id":"evt_t","object":"v2.core.event","type":"v1.issuing_token.created"}"#
            #expect(try await deliver(thin, house) == 200)
            #expect(try await deliver(Self.event("evt_u", card: "ic_unbound"), house) == 200)
            try await house.wait { try await metric("stripe_demo", "unmatched", house) == 1 }
            #expect(try await house.list("/v1/events").isEmpty)
        }
    }

    @Test func increasesThinEventsAreFetched() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            let attempt = try #require(answer.json?["id"]?.string, "\(answer.problemLine)")
            let token = try await house.increaseToken(of: "sandbox_card_ok")
            let body = """
                {"id":"event_1","created_at":"2026-11-30T12:00:00Z","category":"digital_wallet_token.created",
                "associated_object_type":"digital_wallet_token","associated_object_id":"\(token)","type":"event"}
                """
            // The first fetch fails; nothing is lost.
            var fault = ScriptedFault()
            fault.pathSuffix = "/digital_wallet_tokens/\(token)"
            fault.status = 500
            house.sandbox.script(fault, for: "increase")
            let headers = SignedWebhook.increase(body)
            #expect(try await house.deliver(body, to: "increase_demo", headers).status == 200)
            try await house.wait {
                let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(attempt)")
                return record.json?["status"]?.string == "active"
            }
            let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(attempt)")
            #expect(record.json?["settlement"]?["by"]?.string == "webhook")
            let fetches = house.sandbox.requests(to: "increase").filter { $0.request.path.hasSuffix(token) }
            #expect(fetches.count == 2)
        }
    }

    @Test func imprintsEntriesAreAllThatIsKnown() async throws {
        try await House.with { house in
            let emulator = try #require(house.sandbox.emulator(named: "imprint"))
            let answer = try await house.rehearsal.register("card_1", as: emulator.demoCard, at: "imprint_demo")
            #expect(answer.status == 201, "\(answer.problemLine)")
            let body = """
                {"object":"PAYMENT_METHOD","data":{"payment_method_id":"\(emulator.demoCard.id)","new_status":"ACTIVE",
                "updated_at":"\(SandboxClock().now.rfc3339)","tokens":[{"type":"APPLE_WALLET","token":"t1",
                "created_at":"\(SandboxClock().now.rfc3339)"}]}}
                """
            for _ in 0..<2 {
                let answer = try await house.deliver(body, to: "imprint_demo", SignedWebhook.imprint(body))
                #expect(answer.status == 200)
            }
            try await house.wait { try await house.list("/v1/events").count == 1 }
            #expect(try await house.list("/v1/events").first?["type"]?.string == "token.unknown")
        }
    }

    /// Checkout.com lists nothing: what its webhooks tell is kept, and read one by one.
    @Test func checkoutsDigitalCardsComeFromWebhooksAndSingleReads() async throws {
        try await House.with({ [CheckoutEmulator(json: JSONParser(), network: $0)] }) { house in
            let emulator = try #require(house.sandbox.emulator(named: "checkout"))
            let sdk = try #require(emulator.sdk)
            let answer = try await house.rehearsal.register("card_1", as: emulator.demoCard, at: "checkout_demo")
            #expect(answer.status == 201, "\(answer.problemLine)")
            let phone = try SimulatedPhone(network: house.network)
            let made = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone, sdk: sdk)
            let attempt = try #require(made.json?["id"]?.string, "\(made.problemLine)")
            let jwt = try #require(made.json?["handoff"]?["jwt"]?.string)
            let d1 = await emulator.handle(
                EmulatedRequest(
                    method: "POST", path: "/d1/provision",
                    headers: [("content-type", "application/json")],
                    body: SecretBytes(
                        utf8: #"{"jwt":"\#(jwt)","card_id":"\#(emulator.demoCard.id)","wallet":"apple_pay"}"#)))
            let id = try #require(try JSONParser().parse(d1.body).root["digital_card_id"]?.string)
            #expect(try await house.list("/v1/cards/card_1/tokens").isEmpty)
            let body = """
                {"id":"evt_1","type":"digital_card_provisioned","version":"2.0.0","created_on":\
                "\(SandboxClock().now.rfc3339)","data":{"digital_card_id":"\(id)","card_id":"\(emulator.demoCard.id)",\
                "status":"active","provisioned_on":"\(SandboxClock().now.rfc3339)","requestor":{"name":"APPLE PAY"}}}
                """
            #expect(try await house.deliver(body, to: "checkout_demo", SignedWebhook.checkout(body)).status == 200)
            try await house.wait { try await house.list("/v1/cards/card_1/tokens").count == 1 }
            let token = try #require(try await house.list("/v1/cards/card_1/tokens").first)
            #expect(token["status"]?.string == "active" && token["provisioning"]?.string == attempt)
            let read = try await house.gateway.client.send(.get, "/v1/tokens/\(token["id"]?.string ?? "")")
            #expect(read.json?["device"]?["type"]?.string == "iphone")
            #expect(
                house.sandbox.requests(to: "checkout").contains { $0.request.path == "/issuing/digital-cards/\(id)" })
            let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(attempt)")
            #expect(record.json?["settlement"]?["by"]?.string == "webhook")
        }
    }
}
