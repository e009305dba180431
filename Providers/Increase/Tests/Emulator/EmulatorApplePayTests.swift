import IncreaseEmulator
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// `apple_pay_in_app` against a simulated phone.
struct EmulatorApplePayTests {
    let fixture = EmulatorFixture()
    let phone: SimulatedPhone

    init() throws { phone = try SimulatedPhone(network: fixture.network) }

    /// The body of a call; what is not given is the attempt's.
    private func body(
        _ attempt: PassAttempt, certificates: [[UInt8]]? = nil, nonce: SecretBytes? = nil,
        signature: SecretBytes? = nil
    ) -> SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member("channel", "apple_pay_in_app")
            json.member("cardholder_name", "Ian Crease")
            json.member(
                "apple_pay_in_app",
                object: { json in
                    json.member(
                        "certificates",
                        array: { json in
                            for certificate in certificates ?? attempt.certificates {
                                json.object { json in
                                    json.member("certificate", base64: SecretBytes(certificate))
                                }
                            }
                        })
                    json.member("nonce", base64: nonce ?? attempt.nonce)
                    json.member("nonce_signature", base64: signature ?? attempt.nonceSignature)
                })
        }
        return json.finish()
    }

    private func push(_ body: SecretBytes, key: String? = nil) async -> EmulatorFixture.Answer {
        await fixture.post("/cards/sandbox_card_ok/push_provision", body, key: key)
    }

    /// The facade's handoff of an upstream answer.
    private func handoff(_ answer: EmulatorFixture.Answer) throws -> JSONView {
        let pass = try #require(answer.json?["apple_pay_in_app"])
        var json = JSONWriter()
        json.object { json in
            json.member("type", "apple_pay_pass")
            for name in ["activation_data", "encrypted_pass_data", "ephemeral_public_key"] {
                json.member(name, pass[name]?.secretText)
            }
        }
        return try JSONParser().parse(json.finish()).root
    }

    @Test func theDeviceDecryptsThePass() async throws {
        let attempt = try phone.beginPass()
        let answer = await push(body(attempt))
        #expect(answer.status == 200)
        #expect(answer.json?["apple_pay_in_app"]?["encryption_version"]?.string == "EV_ECC_v2")
        let verdict = try attempt.finish(try handoff(answer))
        #expect(verdict.deed == "decrypted the pass" && verdict.token.cardLast4 == "1881")
        let tokens = await fixture.get("/digital_wallet_tokens", query: "card_id=sandbox_card_ok")
        let token = tokens.json?["data"]?.elements?.first
        #expect(token?["token_requestor"]?.string == "apple_pay")
        #expect(token?["dynamic_primary_account_number"]?["last4"]?.string == verdict.token.last4)
    }

    @Test func anotherDeviceCannotDecryptIt() async throws {
        let attempt = try phone.beginPass()
        let other = try phone.beginPass()
        let answer = await push(body(attempt))
        let handoff = try handoff(answer)
        #expect(throws: DeviceFailure.self) { try other.finish(handoff) }
    }

    @Test func aNonceWorksOnce() async throws {
        let attempt = try phone.beginPass()
        #expect(await push(body(attempt), key: "key-1").status == 200)
        #expect(await push(body(attempt), key: "key-1").header("idempotent-replayed") == "true")
        let again = await push(body(attempt), key: "key-2")
        #expect(again.status == 400 && again.type == "invalid_parameters_error")
        #expect(again.fields == ["apple_pay_in_app.nonce"])
    }

    @Test func theSignatureMustBeTheLeafsOverTheNonce() async throws {
        let attempt = try phone.beginPass()
        let other = try phone.beginPass()
        let wrongSignature = await push(body(attempt, signature: other.nonceSignature))
        #expect(wrongSignature.fields == ["apple_pay_in_app.nonce_signature"])
        let wrongNonce = await push(body(attempt, nonce: other.nonce))
        #expect(wrongNonce.fields == ["apple_pay_in_app.nonce_signature"])
        #expect(await push(body(attempt)).status == 200, "a refused handshake is not spent")
    }

    @Test func theLeafComesFirst() async throws {
        let attempt = try phone.beginPass()
        let reversed = await push(body(attempt, certificates: attempt.certificates.reversed()))
        #expect(reversed.status == 400 && reversed.fields == ["apple_pay_in_app.certificates"])
        let alone = await push(body(attempt, certificates: [attempt.certificates[0]]))
        #expect(alone.status == 400 && alone.fields == ["apple_pay_in_app.certificates"])
        let stranger = try SimulatedPhone(network: fixture.network).beginPass()
        let mixed = await push(body(attempt, certificates: [attempt.certificates[0], stranger.certificates[1]]))
        #expect(mixed.status == 400)
    }

    @Test func whatIsNoCertificateIsNamed() async throws {
        let attempt = try phone.beginPass()
        let answer = await push(body(attempt, certificates: [attempt.certificates[0], [1, 2, 3]]))
        #expect(answer.fields == ["apple_pay_in_app.certificates.1.certificate"])
    }
}
