import Foundation
import ProviderKit
import Sandbox
import Testing

/// What people hit with a handshake that is good once and not for long.
@Suite(.serialized)
struct HandshakeFaultEndToEndTests {
    private func key(_ text: String) -> UpstreamRequest.Header { .init("Idempotency-Key", text) }

    private func members(_ answer: GatewayAnswer) -> [String?] {
        ["code", "outcome", "retry"].map { answer.json?[$0]?.string }
    }

    private func script(_ house: House, _ change: (inout ScriptedFault) -> Void) {
        var fault = ScriptedFault()
        fault.pathSuffix = "/push_provision"
        change(&fault)
        house.sandbox.script(fault, for: "increase")
    }

    @Test("H15: an answer after the deadline is dropped, and is not kept for later")
    func dropsALateAnswer() async throws {
        try await House.with { house in
            try await house.register("card_1")
            script(house) {
                $0.afterHandling = true
                $0.delay = .seconds(3)
            }
            let phone = try SimulatedPhone(network: house.network)
            let order = house.rehearsal.order(try phone.begin(), of: phone)
            let path = "/v1/cards/card_1/provisionings"
            let headers = [UpstreamRequest.Header("Passgate-Deadline", "300"), key("late")]
            let answer = try await house.gateway.client.send(.post, path, order, headers: headers)
            #expect(answer.status == 504 && answer.elapsed < .seconds(3))
            #expect(members(answer) == ["provider_timeout", "unknown", "check_wallet_first"])
            // Once the processor has answered, the same request is told the same again.
            let id = try #require(answer.json?["provisioning"]?.string)
            try await house.wait { house.pushes().first?.status != nil }
            let again = try await house.gateway.client.send(.post, path, order, headers: headers)
            #expect(members(again) == members(answer) && again.json?["provisioning"]?.string == id)
            let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)")
            // Unknown, until the processor's list of tokens tells how it ended: no late answer does.
            let status = record.json?["status"]?.string
            #expect(status == "unknown" || record.json?["settlement"]?["by"]?.string == "probe", "\(status ?? "")")
            #expect(house.pushes().count == 1)
        }
    }

    @Test("H16: a nonce is spent once whatever the key, and after a timeout the wallet is looked at first")
    func spendsANonceOnce() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            let first = try await house.rehearsal.provision("card_1", with: attempt, of: phone, headers: [key("a")])
            #expect(first.status == 201, "\(first.problemLine)")
            let second = try await house.rehearsal.provision("card_1", with: attempt, of: phone, headers: [key("b")])
            #expect(second.status == 409)
            #expect(members(second) == ["handshake_reused", "not_sent", "fresh_handshake"])
            #expect(house.pushes().count == 1)
            script(house) { $0.status = 504 }
            let third = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            #expect(third.status == 504)
            #expect(members(third) == ["provider_timeout", "unknown", "check_wallet_first"])
        }
    }

    @Test("H17: a processor's 503 needs a fresh handshake, never the same request", arguments: [500, 502, 503, 520])
    func asksForAFreshHandshake(status: Int) async throws {
        try await House.with { house in
            try await house.register("card_1")
            script(house) { $0.status = status }
            let phone = try SimulatedPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            #expect(answer.status == 503)
            #expect(members(answer) == ["provider_unavailable", "unknown", "fresh_handshake"])
            #expect(house.pushes().count == 1)
        }
    }
}
