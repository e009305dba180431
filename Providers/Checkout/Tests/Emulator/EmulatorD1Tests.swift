import CheckoutEmulator
import CheckoutProvider
import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import Sandbox
import Testing

/// The adapter's authorizations, as the emulated D1 takes them for the app's SDK.
struct EmulatorD1Tests {
    let fixture = EmulatorFixture()

    /// The facade's handoff.
    private func handoff(_ authorization: D1Authorization, _ changes: [String: String] = [:]) throws -> JSONView {
        var json = JSONWriter()
        json.object { json in
            json.member("type", changes["type"] ?? "d1_authorization")
            json.member("jwt", authorization.jwt)
            json.member("provider_card_id", authorization.providerCardID)
            json.member("cardholder_id", authorization.cardholderID)
            json.member("issuer_id", changes["issuer_id"] ?? authorization.issuerID)
            json.member("service_url", changes["service_url"] ?? authorization.serviceURL)
            json.member("digital_card_url", authorization.digitalCardURL)
            json.member("service_rsa_modulus", authorization.serviceRSAModulus)
            json.member("service_rsa_exponent", authorization.serviceRSAExponent)
        }
        return try JSONParser().parse(json.finish()).root
    }

    @Test func theSDKAddsTheCardOnce() async throws {
        let sdk = try #require(fixture.emulator.sdk)
        #expect(sdk.handoff == .d1Authorization)
        let handoff = try handoff(await fixture.authorization(fixture.adapter()))
        let verdict = try await sdk.redeem(handoff, for: .applePay)
        #expect(verdict.deed == "had D1 add the card" && verdict.token.cardLast4 == "1006")
        await #expect(throws: DeviceFailure.self) { try await sdk.redeem(handoff, for: .applePay) }
    }

    @Test func theSDKIsConfiguredFromTheHandoff() async throws {
        let sdk = try #require(fixture.emulator.sdk)
        let authorization = try await fixture.authorization(fixture.adapter())
        for change in [
            ["type": "apple_pay_pass"], ["issuer_id": "OTHER"], ["service_url": "https://client-api.d1.example/"],
        ] {
            await #expect(throws: DeviceFailure.self) {
                try await sdk.redeem(handoff(authorization, change), for: .applePay)
            }
        }
        _ = try await sdk.redeem(handoff(authorization), for: .googlePay)
    }

    @Test(arguments: [("foreign", false), ("suspended", false), ("nobody", false), ("yellow", true)])
    func d1LooksAtTheCard(_ word: String, _ isAdded: Bool) async throws {
        let sdk = try #require(fixture.emulator.sdk)
        let handoff = try handoff(await fixture.authorization(fixture.adapter(), word))
        if isAdded {
            #expect(try await sdk.redeem(handoff, for: .googlePay).deed == "had D1 add the card, to be verified")
        } else {
            await #expect(throws: DeviceFailure.self) { try await sdk.redeem(handoff, for: .googlePay) }
        }
    }

    @Test func anotherKeyIsRefused() async throws {
        let keys: SettingValue = [
            .mapping([("key_id", .text(SecretText(CheckoutEmulator.keyID))), ("file", "other.pem")])
        ]
        let authorization = try await fixture.authorization(fixture.adapter([("keys", keys)]))
        #expect(throws: D1Refusal.signature) { try fixture.emulator.d1.take(authorization.jwt) }
        let text = try await fixture.authorization(fixture.adapter([("timestamp_form", "iso8601")]))
        #expect(throws: D1Refusal.time) { try fixture.emulator.d1.take(text.jwt) }
        let unnamed = try await fixture.authorization(fixture.adapter([("jti", "false")]))
        #expect(throws: D1Refusal.identifier) { try fixture.emulator.d1.take(unnamed.jwt) }
    }

    @Test func overHTTPItIsTheSame() async throws {
        let adapter = try fixture.adapter()
        let card = EmulatorFixture.card("ok")
        func state() async throws -> String? {
            let wish = WalletCredentialRequest(
                purpose: .state, card: fixture.binding(), wallet: nil, token: nil, deadline: .now + .seconds(5))
            let jwt = try await adapter.credential(wish).token.reveal()
            let answer = await fixture.send("POST", "/d1/state", #"{"jwt":"\#(jwt)","card_id":"\#(card)"}"#)
            return answer.json?["state"]?.string
        }
        #expect(try await state() == "NOT_DIGITIZED")
        let jwt = try await fixture.authorization(adapter).jwt.reveal()
        let body = #"{"jwt":"\#(jwt)","card_id":"\#(card)","wallet":"google_pay"}"#
        let added = await fixture.send("POST", "/d1/provision", body)
        #expect(added.status == 200 && added.json?["state"]?.string == "DIGITIZED")
        #expect(try await state() == "DIGITIZED")
        let id = try #require(added.json?["digital_card_id"]?.string)
        let shown = try await fixture.get("/issuing/digital-cards/\(id)")
        #expect(shown.json?["card_id"]?.string == card && shown.json?["status"]?.string == "active")
        #expect(shown.json?["requestor"]?["name"]?.string == "GOOGLE PAY")
        let again = await fixture.send("POST", "/d1/provision", body)
        #expect(again.status == 401 && again.json?["error_reference"]?.string == "reused")
        #expect(again.json?["securityEvent"]?.bool == true)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"jwt":"x","card_id":"c"}"#, #"{"jwt":"x","card_id":"c","wallet":"w"}"#,
        #"{"jwt":"x","card_id":"c","wallet":"apple_pay","more":1}"#,
    ])
    func aBodyOfAnotherFormIsRefused(_ body: String) async {
        #expect(await fixture.send("POST", "/d1/provision", body).status == 422)
        #expect(await fixture.send("GET", "/d1/provision").status == 404)
    }

    @Test func whatAGatewayNeedsIsAllThere() throws {
        let connection = fixture.emulator.connection(at: EmulatorFixture.baseURL)
        #expect(
            connection.settings.map(\.key) == [
                "provider", "environment", "client_id", "client_secret", "base_url", "access_url", "webhook_secrets",
                "d1",
            ])
        let file = try #require(connection.files.first)
        #expect(connection.settings.last?.value.contains(file.name) == true)
        #expect(file.contents.contains("PRIVATE KEY-----"))
        #expect(fixture.emulator.sampleCall(at: "http://h").contains("http://h/connect/token"))
    }
}
