import Foundation
import JSON
import ProviderKit
import Provisioning
import SQLite
import Sandbox
import SecretMemory
import StripeEmulator
import Testing

/// Tokens through the real gateway: listed, read and changed at the emulated processors, over real sockets.
@Suite(.serialized)
struct TokenEndToEndTests {
    /// A house with a card of Stripe's in a wallet.
    private func withToken(_ body: (House, String) async throws -> Void) async throws {
        try await House.with({ [StripeEmulator(json: JSONParser(), network: $0)] }) { house in
            let card = EmulatedCard(id: "ic_ok", last4: "4242", network: .visa)
            let answer = try await house.rehearsal.register("card_1", as: card, at: "stripe_demo")
            #expect(answer.status == 201, "\(answer.problemLine)")
            try await add(house)
            let token = try #require(try await house.list("/v1/cards/card_1/tokens").first)
            try await body(house, try #require(token["id"]?.string))
        }
    }

    /// Puts the card into so many wallets, with one key of Stripe's.
    private func add(_ house: House, times: Int = 1) async throws {
        let sdk = try #require(house.sandbox.emulator(named: "stripe")?.sdk)
        let phone = SimulatedAndroidPhone(network: house.network)
        let answer = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone, sdk: sdk)
        let handoff = try #require(answer.json?["handoff"], "\(answer.problemLine)")
        for _ in 0..<times { _ = try await sdk.redeem(handoff, for: .googlePay) }
    }

    private func change(_ id: String, _ change: String, _ house: House) async throws -> GatewayAnswer {
        try await house.gateway.client.send(.post, "/v1/tokens/\(id)/\(change)", SecretBytes(utf8: "{}"))
    }

    private func calls(_ house: House) -> [String] {
        house.sandbox.requests(to: "stripe").map { "\($0.request.method) \($0.request.path)" }
            .filter { $0.contains("/issuing/tokens") }
    }

    @Test func aTokenLivesItsWholeLife() async throws {
        try await withToken { house, id in
            for (word, status) in [
                ("suspend", "suspended"), ("suspend", "suspended"), ("resume", "active"), ("delete", "deleted"),
            ] {
                let answer = try await change(id, word, house)
                #expect(answer.status == 200 && answer.json?["status"]?.string == status, "\(answer.problemLine)")
                let read = try await house.gateway.client.send(.get, "/v1/tokens/\(id)")
                #expect(read.json?["status"]?.string == status && read.json?["device"]?["type"]?.string == "phone")
            }
            let before = calls(house)
            let late = try await change(id, "resume", house)
            #expect(late.status == 409 && late.code == "token_transition_invalid")
            #expect(calls(house) == before)
            let events = try await house.list("/v1/events?type=token.*")
            #expect(
                events.map { $0["type"]?.string } == [
                    "token.active", "token.suspended", "token.active", "token.deleted",
                ])
            let sequences = try await house.list("/v1/events?card=card_1").map { $0["sequence"]?.integer }
            #expect(sequences == (1...sequences.count).map { $0 })
        }
    }

    /// Both lists are paged: ours by two, Stripe's by a hundred.
    @Test func listsArePagedOnBothSides() async throws {
        try await withToken { house, _ in
            try await add(house, times: 104)
            var ids: [String?] = []
            var cursor: String?
            repeat {
                let page = try await house.gateway.client.send(
                    .get, "/v1/cards/card_1/tokens?limit=40" + (cursor.map { "&cursor=\($0)" } ?? ""))
                ids += (page.json?["data"]?.elements ?? []).map { $0["id"]?.string }
                cursor = page.json?["next_cursor"]?.string
            } while cursor != nil
            #expect(ids.count == 105 && Set(ids).count == 105)
            #expect(calls(house).count == 3, "one page at first, then two")
        }
    }

    @Test func aRetiredBindingStillServesItsTokens() async throws {
        try await withToken { house, id in
            // No route retires a binding yet.
            let path = house.gateway.folder.appending(path: "passgate.db").path
            let store = try Connection(path: path, mode: .readWrite)
            try store.execute("UPDATE binding SET state = 'retired'")
            store.close()
            #expect(try await house.list("/v1/cards/card_1/tokens").map { $0["id"]?.string } == [id])
            let suspended = try await change(id, "suspend", house)
            #expect(suspended.status == 200 && suspended.json?["status"]?.string == "suspended")
            // A retired binding's processor that is silent hides nothing.
            var fault = ScriptedFault()
            fault.status = 500
            house.sandbox.script(fault, for: "stripe")
            let listed = try await house.list("/v1/cards/card_1/tokens")
            #expect(listed.map { $0["status"]?.string } == ["suspended"])
        }
    }

    @Test func aProcessorThatChangesNothingIsNotAsked() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            #expect(answer.status == 201, "\(answer.problemLine)")
            let token = try #require(try await house.list("/v1/cards/card_1/tokens").first)
            #expect(token["wallet"]?.string == "apple_pay" && token["provider"]?.string == "increase")
            #expect(token["provisioning"]?.string == answer.json?["id"]?.string)
            let before = house.sandbox.requests(to: "increase").count
            let refused = try await change(token["id"]?.string ?? "", "suspend", house)
            #expect(refused.status == 400 && refused.code == "operation_unsupported")
            #expect(house.sandbox.requests(to: "increase").count == before)
        }
    }
}
