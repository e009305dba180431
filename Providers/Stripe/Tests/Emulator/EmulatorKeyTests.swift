import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import Sandbox
import StripeEmulator
import Testing

/// Ephemeral keys, and what they open.
struct EmulatorKeyTests {
    let fixture = EmulatorFixture()

    private func secret(_ card: String = "ic_ok") async -> String? { await fixture.key(card).json?["secret"]?.string }

    @Test func aKeyHasWhatTheSDKsNeed() async throws {
        let key = try #require(await fixture.key().json)
        #expect(
            key.members?.map(\.name) == [
                "id", "object", "associated_objects", "created", "expires", "livemode", "secret",
            ])
        #expect(key["object"]?.string == "ephemeral_key" && key["livemode"]?.bool == false)
        #expect(key["id"]?.string?.hasPrefix("ephkey_") == true)
        #expect(key["secret"]?.string?.hasPrefix("ek_test_") == true)
        let opened = key["associated_objects"]?.elements?.first
        #expect(opened?["id"]?.string == "ic_ok" && opened?["type"]?.string == "issuing.card")
        let now = Int(fixture.clock.now.seconds)
        #expect(key["created"]?.integer == now && key["expires"]?.integer == now + 3600)
    }

    @Test func aKeyOpensItsCardInItsVersion() async throws {
        let details = await fixture.details(await secret())
        #expect(details.status == 200)
        #expect(details.json?["object"]?.string == "issuing.push_provisioning_details")
        #expect(details.json?["card"]?["last4"]?.string == "4242")
        let contents = try #require(details.json?["contents"]?.secretText)
        #expect(try fixture.network.open(contents, as: .tokenServiceProvider).cardholderName == "Jenny Rosen")
    }

    @Test func aKeyOpensNothingElse() async throws {
        let secret = await secret()
        #expect(await fixture.details(secret, card: "ic_ok2").status == 403)
        #expect(await fixture.details(secret, version: "2019-09-09").status == 400)
        #expect(await fixture.details(secret, version: nil).status == 400)
        #expect(await fixture.details("ek_test_other").status == 401)
        #expect(await fixture.details(StripeEmulator.secretKey).status == 401, "the secret key is no ephemeral one")
        let card = await fixture.get("/v1/issuing/cards/ic_ok", ["authorization": "Bearer \(secret ?? "")"])
        #expect(card.status == 401)
    }

    @Test func aKeyEndsAfterAnHour() async {
        let secret = await secret()
        fixture.clock.advance(milliseconds: 3_599_999)
        #expect(await fixture.details(secret).status == 200)
        fixture.clock.advance(milliseconds: 1)
        let late = await fixture.details(secret)
        #expect(late.status == 401 && late.code == "api_key_expired")
    }

    @Test func aKeyThatIsDeletedEndsAtOnce() async {
        let key = await fixture.key()
        let id = key.json?["id"]?.string ?? ""
        let deleted = await fixture.send("DELETE", "/v1/ephemeral_keys/\(id)")
        #expect(deleted.status == 200 && deleted.json?["id"]?.string == id)
        #expect(await fixture.details(key.json?["secret"]?.string).code == "api_key_expired")
        #expect(await fixture.send("DELETE", "/v1/ephemeral_keys/ephkey_other").code == "resource_missing")
    }

    @Test(arguments: [
        ("", "parameter_missing"), ("android%5Bwallet_account_id%5D=w", "parameter_missing"),
        ("android%5Bwallet_account_id%5D=w&android%5Bdevice_id%5D=", "parameter_invalid_empty"),
        ("android%5Bwallet_account_id%5D=w&android%5Bdevice_id%5D=d&ios=1", "parameter_unknown"),
        ("ios%5Bnonce%5D=00&android%5Bdevice_id%5D=d", "parameter_unknown"),
        ("ios%5Bnonce%5D=00", "parameter_missing"),
    ])
    func theHandshakeIsReadStrictly(query: String, code: String) async {
        let answer = await fixture.details(await secret(), query: query)
        #expect(answer.status == 400 && answer.code == code)
    }

    @Test func passKitsHandshakeIsHexAndWorksOnce() async throws {
        let attempt = try SimulatedPhone(network: fixture.network).beginPass()
        func query(_ nonce: String?) -> String {
            let fields = [
                ("ios[certificates][0]", Base64.encode(attempt.certificates[0])),
                ("ios[certificates][1]", Base64.encode(attempt.certificates[1])), ("ios[nonce]", nonce ?? ""),
                ("ios[nonce_signature]", Hexadecimal.encode(attempt.nonceSignature).revealText() ?? ""),
            ]
            return fields.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }
                .joined(separator: "&")
        }
        let hex = Hexadecimal.encode(attempt.nonce).revealText()
        let secret = await secret()
        let upper = await fixture.details(secret, query: query(hex?.uppercased()))
        #expect(upper.status == 400 && upper.param == "ios[nonce]")
        let base64 = await fixture.details(secret, query: query(Base64.encode(attempt.nonce).revealText()))
        #expect(base64.status == 400)
        let first = await fixture.details(secret, query: query(hex))
        #expect(first.status == 200 && first.json?["card"]?.string == "ic_ok")
        let again = await fixture.details(secret, query: query(hex))
        #expect(again.status == 400 && again.param == "ios[nonce]")
    }

    @Test func theIdentifierIsNullUntilTheFirstProvisioning() async {
        func identifier() async -> JSONView? {
            await fixture.get("/v1/issuing/cards/ic_ok").json?["wallets"]?["primary_account_identifier"]
        }
        #expect(await identifier()?.isNull == true)
        _ = await fixture.details(await secret())
        let first = await identifier()?.string
        #expect(first?.isEmpty == false)
        _ = await fixture.details(await secret())
        #expect(await identifier()?.string == first)
    }
}
