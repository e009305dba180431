import Foundation
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing

/// Stripe's keys through the real gateway: a platform's request, the emulated API, Stripe's SDK.
@Suite(.serialized)
struct StripeEndToEndTests {
    /// A house with Stripe's emulator, and a card at it.
    private func with(_ card: String = "ic_ok", _ body: (House, any ProcessorSDK) async throws -> Void) async throws {
        try await House.with({ [StripeEmulator(json: JSONParser(), network: $0)] }) { house in
            let sdk = try #require(house.sandbox.emulator(named: "stripe")?.sdk)
            let emulated = EmulatedCard(id: card, last4: "4242", network: .visa)
            let answer = try await house.rehearsal.register("card_1", as: emulated, at: "stripe_demo")
            #expect(answer.status == 201, "\(answer.problemLine)")
            try await body(house, sdk)
        }
    }

    private func keyCalls(_ house: House) -> [RequestRecord] {
        house.sandbox.requests(to: "stripe").filter { $0.request.path == "/v1/ephemeral_keys" }
    }

    /// Asks for a key; what is not given is as it should be.
    private func provision(
        _ house: House, _ sdk: any ProcessorSDK, card: String = "card_1", wallet: Wallet = .applePay,
        cardholder: String = "user_1", version: String? = "2020-08-27", key: String? = nil
    ) async throws -> GatewayAnswer {
        var json = JSONWriter()
        json.object { json in
            json.member("wallet", wallet.rawValue)
            json.member("accept", array: { json in json.value(sdk.handoff.rawValue) })
            json.member(
                "cardholder",
                object: { json in
                    json.member("id", cardholder)
                    json.member(
                        "authentication",
                        object: { json in
                            json.member("method", "passkey")
                            json.member("authenticated_at", SandboxClock().now.wholeSecondsText)
                        })
                })
            if let version { json.member("client", object: { json in json.member("stripe_api_version", version) }) }
        }
        return try await house.gateway.client.send(
            .post, "/v1/cards/\(card)/provisionings", json.finish(),
            headers: key.map { [.init("Idempotency-Key", $0)] } ?? [])
    }

    @Test(arguments: [Wallet.applePay, .googlePay])
    func theSDKTakesTheKeyAndOpensThePayload(_ wallet: Wallet) async throws {
        try await with { house, sdk in
            let answer = try await provision(house, sdk, wallet: wallet)
            #expect(answer.status == 201, "\(answer.problemLine)")
            let handoff = try #require(answer.json?["handoff"])
            #expect(try await sdk.redeem(handoff, for: wallet).token.cardLast4 == "4242")
            #expect(handoff["provider_card_id"]?.string == "ic_ok")
            #expect(handoff["expires_at"]?.string == answer.json?["expires_at"]?.string)
            let call = try #require(keyCalls(house).first)
            #expect(call.request.body.revealText() == "issuing_card=ic_ok")
            #expect(call.request.header("stripe-version") == "2020-08-27")
        }
    }

    /// S01: without the app's version Stripe is never called. S15: and the app is told which member is missing.
    @Test func s01s15AMissingVersionIsAProblemThatNamesIt() async throws {
        try await with { house, sdk in
            for (version, code) in [(nil, "client_version_required"), ("2020", "invalid_request")] {
                let answer = try await provision(house, sdk, version: version)
                #expect(answer.status == 400 && answer.code == code)
                let problem = try #require(answer.json)
                #expect(problem["outcome"]?.string == "not_sent" && problem["retry"]?.string == "fix_request")
                let member = problem["errors"]?.elements?.first
                #expect(member?["pointer"]?.string == "/client/stripe_api_version")
                #expect(member?["detail"]?.string?.isEmpty == false)
            }
            #expect(house.sandbox.requestCount(of: "stripe") == 0)
        }
    }

    /// S04: the request of the provider's page is sent as it is printed there.
    @Test func s04TheRequestOfThePageWorks() async throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "Providers/Stripe/README.md"), encoding: .utf8)
        let sample = try #require(page.firstMatch(of: /```json\n([^`]*)```/)).1
        let fresh = sample.replacing("2026-11-30T12:00:00Z", with: SandboxClock().now.wholeSecondsText)
        try await with { house, sdk in
            let answer = try await house.gateway.client.send(
                .post, "/v1/cards/card_1/provisionings", SecretBytes(utf8: fresh))
            #expect(answer.status == 201, "\(answer.problemLine)")
            let handoff = try #require(answer.json?["handoff"])
            #expect(try await sdk.redeem(handoff, for: .applePay).token.cardLast4 == "4242")
        }
    }

    /// S11: an app that asks three times at once gets one key for one action, and three for three.
    @Test func s11OneActionMakesOneKey() async throws {
        try await with { house, sdk in
            let answers = try await withThrowingTaskGroup(of: GatewayAnswer.self) { group in
                for _ in 0..<3 { group.addTask { try await provision(house, sdk, key: "action-1") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let made = answers.filter { $0.status == 201 }
            #expect(!made.isEmpty)
            #expect(answers.allSatisfy { $0.status == 201 || $0.code == "idempotency_key_in_use" })
            let keys = Set(made.compactMap { $0.json?["handoff"]?["ephemeral_key"]?["id"]?.string })
            #expect(keys.count == 1)
            #expect(Set(keyCalls(house).compactMap { $0.request.header("idempotency-key") }).count == 1)
            for _ in 0..<3 { #expect(try await provision(house, sdk).status == 201) }
            #expect(Set(keyCalls(house).compactMap { $0.request.header("idempotency-key") }).count == 4)
        }
    }

    /// S11: and a card that is asked for without an end is limited.
    @Test func s11ACardHasItsAttemptsForAMinute() async throws {
        try await with { house, sdk in
            for _ in 0..<10 { #expect(try await provision(house, sdk).status == 201) }
            let answer = try await provision(house, sdk)
            #expect(answer.status == 429 && answer.code == "rate_limited")
            #expect(keyCalls(house).count == 10)
        }
    }

    /// S08, S12, S14: a failure of Stripe is never a 2xx, comes in time, and is told as what it is.
    @Test(arguments: [
        ("ic_declined", 422, "provider_rejected", "refused"), ("ic_nowhere", 422, "provider_card_not_found", "refused"),
        ("ic_forbidden", 502, "provider_unauthorized", "refused"),
        ("ic_ratelimited", 503, "provider_rate_limited", "refused"),
        ("ic_unavailable", 503, "provider_unavailable", "unknown"),
        ("ic_garbled", 502, "provider_contract_violation", "unknown"),
        ("ic_oversize", 502, "provider_contract_violation", "unknown"),
    ])
    func s08s12s14AFailureIsToldAsWhatItIs(card: String, status: Int, code: String, outcome: String) async throws {
        try await with(card) { house, sdk in
            let answer = try await provision(house, sdk)
            #expect(answer.status == status && answer.code == code, "\(answer.problemLine)")
            #expect(answer.json?["outcome"]?.string == outcome)
            #expect(answer.json?["detail"]?.string?.isEmpty == false)
            #expect(answer.json?["handoff"] == nil && answer.json?["error"] == nil)
        }
    }

    /// S14: somebody else's card looks like one that is not there, and no key is made for it.
    @Test func s14AForeignCardholderGetsNoKey() async throws {
        try await with { house, sdk in
            let foreign = try await provision(house, sdk, cardholder: "user_2")
            let unknown = try await provision(house, sdk, card: "card_2")
            #expect(foreign.status == 404 && foreign.code == "card_not_found")
            #expect(unknown.status == 404 && unknown.code == foreign.code)
            #expect(keyCalls(house).isEmpty)
        }
    }

    /// G06: Stripe does not push to Samsung Pay, and the capabilities say so.
    @Test func g06SamsungPayIsRefusedAndListed() async throws {
        try await with { house, sdk in
            let answer = try await provision(house, sdk, wallet: .samsungPay)
            #expect(answer.status == 400 && answer.code == "wallet_unsupported")
            let capabilities = try await house.gateway.client.send(.get, "/v1/capabilities")
            let rows = (capabilities.json?["data"]?.elements ?? []).filter {
                $0["provider"]?.string == "stripe" && $0["wallet"]?.string == "samsung_pay"
            }
            #expect(rows.count == 2 && rows.allSatisfy { $0["handoff"]?.isNull == true })
        }
    }

    @Test func aLostAnswerIsAskedForOnceMoreWithTheSameKey() async throws {
        try await with { house, sdk in
            var fault = ScriptedFault()
            fault.pathSuffix = "/ephemeral_keys"
            fault.afterHandling = true
            fault.breaks = .reset
            house.sandbox.script(fault, for: "stripe")
            let answer = try await provision(house, sdk)
            #expect(answer.status == 201, "\(answer.problemLine)")
            let keys = keyCalls(house).map { $0.request.header("idempotency-key") }
            #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
        }
    }

    @Test(arguments: [("ic_conflict", 201, 2), ("ic_error", 503, 2), ("ic_finalerror", 503, 1)])
    func stripesAdviceDecidesOnARepeat(card: String, status: Int, count: Int) async throws {
        try await with(card) { house, sdk in
            let answer = try await provision(house, sdk)
            #expect(answer.status == status, "\(answer.problemLine)")
            #expect(keyCalls(house).count == count)
        }
    }

    @Test func theWalletsSayWhatStripeSaysOfTheCard() async throws {
        try await with("ic_nocontact") { house, _ in
            let answer = try await house.rehearsal.wallets(of: "card_1")
            let rows = try #require(answer.json?["data"]?.elements)
            #expect(rows.map { $0["eligible"]?.bool } == [false, false])
            for row in rows {
                #expect(row["reason"]?.string == "missing_cardholder_contact")
                #expect(row["handoff"]?.string == "stripe_ephemeral_key")
                #expect(row["primary_account_identifier"]?.isNull == true)
                let manual = row["manual_provisioning"]
                #expect(manual?["available"]?.bool == false)
                #expect(manual?["missing"]?.elements?.map(\.string) == ["phone", "email"])
            }
        }
    }

    /// H20: the identifier is read anew each time, and is there once the card is in a wallet.
    @Test func h20TheIdentifierAppearsAfterTheFirstProvisioning() async throws {
        try await with { house, sdk in
            func identifiers() async throws -> [String?] {
                let data = try await house.rehearsal.wallets(of: "card_1").json?["data"]?.elements ?? []
                return data.map { $0["primary_account_identifier"]?.string }
            }
            #expect(try await identifiers() == [nil, nil])
            let handoff = try #require(try await provision(house, sdk).json?["handoff"])
            _ = try await sdk.redeem(handoff, for: .applePay)
            let known = try await identifiers()
            #expect(known.count == 2 && known.allSatisfy { $0?.hasPrefix("V-") == true })
        }
    }
}
