import Foundation
import IncreaseEmulator
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// What the gateway leaves behind: its output and its store hold no secret in any form.
@Suite(.serialized)
struct SecrecyEndToEndTests {
    @Test func neitherOutputNorStoreHoldsASecret() async throws {
        try await House.with { house in
            try await house.register("card_1")
            try await house.register("card_lost", as: "sandbox_card_lost")
            var secrets = [
                SecretBytes(utf8: IncreaseEmulator.apiKey), house.gateway.configuration.apiKey.bytes,
                house.gateway.configuration.rootSecret.bytes,
            ]
            if let root = Base64.decode(house.gateway.configuration.rootSecret.bytes) { secrets.append(root) }
            let devices: [any SimulatedDevice] = [
                try SimulatedPhone(network: house.network), SimulatedAndroidPhone(network: house.network),
                SimulatedBrowser(network: house.network),
            ]
            for device in devices {
                for card in ["card_1", "card_lost"] {
                    let attempt = try device.begin()
                    let answer = try await house.rehearsal.provision(card, with: attempt, of: device)
                    secrets += attempt.secrets + payload(answer)
                    let again = try await house.rehearsal.provision(card, with: attempt, of: device)
                    secrets += payload(again)
                }
            }
            #expect(secrets.count > 20, "the handoffs were collected")
            #expect(await house.gateway.stop() == 0)
            let search = SecretSearch(try places(house))
            for secret in secrets { #expect(search.findings(of: secret) == []) }
            #expect(!search.findings(of: SecretBytes(utf8: "card_lost")).isEmpty, "the search finds what is there")
        }
    }

    @Test("P06: of a webhook only what is named is kept, and no card number in it")
    func keepsNothingElseOfAWebhook() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let made = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone)
            #expect(made.status == 201, "\(made.problemLine)")
            let token = try await house.increaseToken(of: "sandbox_card_ok")
            let number = ["4111", "1111", "1111", "1111"].joined()
            let body = """
                {"id":"event_canary_id","category":"digital_wallet_token.updated","associated_object_id":"\(token)",\
                "associated_object_type":"digital_wallet_token","card_number":"\(number)","note":"webhook-canary",\
                "data":{"pan":"\(number)","holder":"Canary Holder"}}
                """
            let answer = try await house.deliver(body, to: "increase_demo", SignedWebhook.increase(body))
            #expect(answer.status == 200)
            try await house.wait { try await house.list("/v1/events?type=token.*").count == 1 }
            #expect(await house.gateway.stop() == 0)
            let search = SecretSearch(try places(house))
            for canary in [number, "webhook-canary", "Canary Holder", "associated_object_type"] {
                #expect(search.findings(of: SecretBytes(utf8: canary)) == [])
            }
            #expect(!search.findings(of: SecretBytes(utf8: token)).isEmpty, "what is named is kept")
        }
    }

    /// Every text of the handoff that is a secret, and the bytes that it stands for.
    private func payload(_ answer: GatewayAnswer) -> [SecretBytes] {
        let names = ["activation_data", "encrypted_pass_data", "ephemeral_public_key", "token_card", "account_card"]
        let texts = names.compactMap { answer.json?["handoff"]?[$0]?.secretText?.bytes }
        return texts + texts.compactMap { Base64.decode($0) ?? Base64.decode($0, alphabet: .urlSafe) }
    }

    /// The gateway's output, and every file of its folder but the configuration.
    private func places(_ house: House) throws -> [(name: String, contents: Data)] {
        let files = try FileManager.default.contentsOfDirectory(
            at: house.gateway.folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.lastPathComponent != "passgate.yaml" }.map { file in
            (file.lastPathComponent, try Data(contentsOf: file))
        }
    }
}
