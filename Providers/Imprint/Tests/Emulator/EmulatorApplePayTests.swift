import ImprintEmulator
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// `provision/apple_pay` against a simulated phone.
struct EmulatorApplePayTests {
    let fixture = EmulatorFixture()
    let phone: SimulatedPhone

    init() throws { phone = try SimulatedPhone(network: fixture.network) }

    private func provision(_ body: SecretBytes, id: String = EmulatorFixture.id()) async -> EmulatorFixture.Answer {
        await fixture.provision(body, wallet: "apple_pay", id: id)
    }

    /// The facade's handoff of an upstream answer.
    private func handoff(_ answer: EmulatorFixture.Answer) throws -> JSONView {
        let pass = try #require(answer.json?["provisioning_payload"])
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
        let answer = await provision(EmulatorFixture.body(attempt))
        #expect(answer.status == 200 && answer.json?["wallet"]?.string == "apple_pay")
        let members = answer.json?["provisioning_payload"]?.members?.map(\.name)
        #expect(members == ["activation_data", "encrypted_pass_data", "ephemeral_public_key"])
        let verdict = try attempt.finish(try handoff(answer))
        #expect(verdict.deed == "decrypted the pass" && verdict.token.cardLast4 == "4242")
        let other = try phone.beginPass()
        let bytes = try handoff(answer)
        #expect(throws: DeviceFailure.self) { try other.finish(bytes) }
    }

    @Test func theTokenAppearsWithItsDate() async throws {
        #expect(await fixture.read().json?["card"]?["tokens"]?.elements?.isEmpty == true)
        #expect(await provision(EmulatorFixture.body(try phone.beginPass())).status == 200)
        let token = await fixture.read().json?["card"]?["tokens"]?.elements?.first
        #expect(token?["type"]?.string == "APPLE_WALLET")
        #expect(token?["token"]?.string?.hasPrefix("SIMULATED") == true)
        #expect(token?["created_at"]?.string?.hasSuffix("Z") == true)
    }

    @Test func aNonceWorksOnce() async throws {
        let attempt = try phone.beginPass()
        #expect(await provision(EmulatorFixture.body(attempt)).status == 200)
        let again = await provision(EmulatorFixture.body(attempt), id: "0CA4D000-0000-4000-8000-000000000002")
        #expect(again.status == 400 && again.code == "invalid_request" && again.message.hasPrefix("nonce "))
    }

    @Test func aCardThatIsOnTheDeviceIsNotAddedAgain() async throws {
        #expect(await provision(EmulatorFixture.body(try phone.beginPass())).status == 200)
        let again = await provision(EmulatorFixture.body(try phone.beginPass()))
        #expect(again.status == 409 && again.code == "already_provisioned")
        let other = try SimulatedPhone(network: fixture.network)
        #expect(await provision(EmulatorFixture.body(try other.beginPass())).status == 200)
        fixture.emulator.reset()
        #expect(await provision(EmulatorFixture.body(try phone.beginPass())).status == 200)
    }

    @Test func theSignatureMustBeTheLeafsOverTheNonce() async throws {
        let attempt = try phone.beginPass()
        let other = try phone.beginPass()
        let wrongSignature = await provision(EmulatorFixture.body(attempt, signature: other.nonceSignature))
        #expect(wrongSignature.code == "invalid_request" && wrongSignature.message.hasPrefix("nonce_signature "))
        let wrongNonce = await provision(EmulatorFixture.body(attempt, nonce: other.nonce))
        #expect(wrongNonce.message.hasPrefix("nonce_signature "))
        #expect(await provision(EmulatorFixture.body(attempt)).status == 200, "a refused handshake is not spent")
    }

    /// H09: the order is checked, and nothing but leaf and intermediate is taken.
    @Test func h09TheLeafComesFirst() async throws {
        let attempt = try phone.beginPass()
        let leaf = attempt.certificates[0]
        let stranger = try SimulatedPhone(network: fixture.network).beginPass()
        let chains: [[[UInt8]]] = [
            attempt.certificates.reversed(), [leaf], [leaf, leaf], [leaf, stranger.certificates[1]],
            attempt.certificates + [stranger.certificates[1]], [], [leaf, [1, 2, 3]],
        ]
        for chain in chains {
            let answer = await provision(EmulatorFixture.body(attempt, certificates: chain))
            #expect(answer.status == 400 && answer.code == "invalid_request")
            #expect(answer.message.hasPrefix("certificates"))
        }
    }
}
