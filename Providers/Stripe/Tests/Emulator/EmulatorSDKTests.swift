import JSON
import ProviderKit
import Provisioning
import Sandbox
import StripeEmulator
import Testing

/// Stripe's SDK, with the handoff of the facade.
struct EmulatorSDKTests {
    let fixture = EmulatorFixture()

    /// The facade's handoff of a key.
    private func handoff(_ key: SecretBytes) throws -> JSONView {
        var json = JSONWriter()
        json.object { json in
            json.member("type", "stripe_ephemeral_key")
            json.member("ephemeral_key", verbatim: key)
            json.member("api_version", EmulatorFixture.version)
        }
        return try JSONParser().parse(json.finish()).root
    }

    private func sdk() throws -> any ProcessorSDK { try #require(fixture.emulator.sdk) }

    @Test(arguments: [(Wallet.applePay, "decrypted the pass"), (.googlePay, "opened the card")])
    func theKeyIsPresentedAndThePayloadOpened(wallet: Wallet, deed: String) async throws {
        let handoff = try handoff(await fixture.key().response.body)
        let verdict = try await sdk().redeem(handoff, for: wallet)
        #expect(verdict.deed == "presented the key, \(deed)")
        #expect(verdict.token.cardLast4 == "4242" && verdict.token.cardholderName == "Jenny Rosen")
        let tokens = await fixture.get("/v1/issuing/tokens", query: "card=ic_ok")
        let token = tokens.json?["data"]?.elements?.first
        #expect(token?["last4"]?.string == verdict.token.last4)
        #expect(token?["wallet_provider"]?.string == wallet.rawValue)
    }

    @Test func theAppSaysWhichVersionItsSDKAskedFor() throws {
        var json = JSONWriter()
        let sdk = try sdk()
        json.object { json in sdk.writeMembers(into: &json) }
        #expect(json.finish().revealText() == #"{"client":{"stripe_api_version":"2020-08-27"}}"#)
        #expect(sdk.handoff == .stripeEphemeralKey)
    }

    /// S06: the secret alone is not enough for the SDK.
    @Test(arguments: ["id", "created", "secret", "expires", "associated_objects", "livemode"])
    func s06AKeyWithoutAMemberIsRejected(name: String) async throws {
        let key = try #require(await fixture.key().response.body.revealText())
        let trimmed = key.replacing("\"\(name)\":", with: "\"other\":")
        let handoff = try handoff(SecretBytes(utf8: trimmed))
        let sdk = try sdk()
        await #expect(throws: DeviceFailure("the SDK rejects the key: it has no \(name)")) {
            try await sdk.redeem(handoff, for: .applePay)
        }
    }

    @Test func aKeyOfAnotherVersionIsNotTaken() async throws {
        let key = await fixture.key("ic_ok", ["stripe-version": "2019-09-09"])
        let handoff = try handoff(key.response.body)
        let sdk = try sdk()
        await #expect(throws: DeviceFailure("Stripe does not take the key: 400")) {
            try await sdk.redeem(handoff, for: .googlePay)
        }
    }

    @Test func aKeyThatHasEndedIsNotTaken() async throws {
        let handoff = try handoff(await fixture.key("ic_expired").response.body)
        let sdk = try sdk()
        await #expect(throws: DeviceFailure("Stripe does not take the key: 401")) {
            try await sdk.redeem(handoff, for: .applePay)
        }
    }

    @Test func whatIsNoKeyIsRejected() async throws {
        let sdk = try sdk()
        let pass = try JSONParser().parse(SecretBytes(utf8: #"{"type":"apple_pay_pass"}"#)).root
        await #expect(throws: DeviceFailure.self) { try await sdk.redeem(pass, for: .applePay) }
        let handoff = try handoff(await fixture.key().response.body)
        await #expect(throws: DeviceFailure.self) { try await sdk.redeem(handoff, for: .samsungPay) }
    }
}
