import Foundation
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// Devices, the real gateway and the emulated processor, over real sockets.
@Suite(.serialized)
struct ProvisioningEndToEndTests {
    @Test func everyDeviceOpensWhatItGets() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let devices: [any SimulatedDevice] = [
                try SimulatedPhone(network: house.network), SimulatedAndroidPhone(network: house.network),
                SimulatedBrowser(network: house.network),
            ]
            for device in devices {
                let attempt = try device.begin()
                let answer = try await house.rehearsal.provision("card_1", with: attempt, of: device)
                #expect(answer.status == 201, "\(device.name): \(answer.problemLine)")
                let handoff = try #require(answer.json?["handoff"])
                let verdict = try attempt.finish(handoff)
                #expect(verdict.token.cardLast4 == "1881")
                #expect(verdict.deed == (device.wallet == .applePay ? "decrypted the pass" : "opened both cards"))
                #expect(answer.json?["provider"]?.string == "increase")
                let id = try #require(answer.json?["id"]?.string)
                let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)")
                #expect(record.status == 200 && record.json?["handoff"]?.isNull == true)
                #expect(record.json?["status"]?.string == "handed_off")
            }
            #expect(house.pushes().count == 3)
        }
    }

    @Test func theWalletsOfACardAreWhatTheDevicesUse() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let answer = try await house.rehearsal.wallets(of: "card_1")
            let data = try #require(answer.json?["data"]?.elements)
            #expect(data.map { $0["wallet"]?.string } == ["apple_pay", "google_pay"])
            #expect(data.allSatisfy { $0["eligible"]?.bool == true })
            let google = data.last?["channels"]?.elements?.compactMap(\.string)
            #expect(Set(google ?? []) == ["in_app", "web"])
        }
    }

    @Test func aSpentNonceIsRefusedWithoutACall() async throws {
        try await House.with { house in
            try await house.register("card_1")
            try await house.register("card_2", as: "sandbox_card_ok2")
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            #expect(try await house.rehearsal.provision("card_1", with: attempt, of: phone).status == 201)
            for card in ["card_1", "card_2"] {
                let again = try await house.rehearsal.provision(card, with: attempt, of: phone)
                #expect(again.status == 409 && again.code == "handshake_reused")
                #expect(again.json?["outcome"]?.string == "not_sent")
                #expect(again.json?["retry"]?.string == "fresh_handshake")
            }
            #expect(house.pushes().count == 1 && house.pushes("sandbox_card_ok2").isEmpty)
        }
    }

    @Test func aGoogleWebSessionWithoutADeviceGivesTheAccountCardOnly() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let browser = SimulatedBrowser(network: house.network, hasDevice: false)
            let attempt = try browser.begin()
            let answer = try await house.rehearsal.provision("card_1", with: attempt, of: browser)
            let handoff = try #require(answer.json?["handoff"])
            #expect(try attempt.finish(handoff).deed == "opened the account card")
            #expect(handoff["token_card"]?.isNull ?? true)
        }
    }
}
