import Foundation
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// What the platform is told when the processor, or the way to it, fails.
@Suite(.serialized)
struct FaultEndToEndTests {
    private func provision(_ house: House, with device: any SimulatedDevice, card: String = "card_1") async throws
        -> GatewayAnswer
    {
        try await house.rehearsal.provision(card, with: try device.begin(), of: device)
    }

    private func members(_ answer: GatewayAnswer) -> [String?] {
        ["code", "outcome", "retry"].map { answer.json?[$0]?.string }
    }

    @Test func aMissingProcessorLeavesTheHandshakeUnspent() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            let port = house.server.port
            await house.server.stop()
            let answer = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(answer.status == 503)
            #expect(members(answer) == ["provider_unavailable", "not_sent", "after_delay"])
            let again = try SandboxServer(house.sandbox, port: port, on: house.loops)
            let second = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(second.status == 201, "\(second.problemLine)")
            await again.stop()
        }
    }

    @Test func aConnectionThatBreaksAfterSendingIsAnUnknownOutcome() async throws {
        try await House.with { house in
            try await house.register("card_1", as: "sandbox_card_lost")
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            let answer = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(answer.status == 504)
            #expect(members(answer) == ["provider_timeout", "unknown", "check_wallet_first"])
            let again = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(again.code == "handshake_reused")
            #expect(house.pushes("sandbox_card_lost").count == 1)
        }
    }

    @Test(arguments: [
        ("notenabled", 403, ["program_not_enabled", "refused", "never"]),
        ("ratelimited", 503, ["provider_rate_limited", "refused", "fresh_handshake"]),
        ("error", 503, ["provider_unavailable", "unknown", "fresh_handshake"]),
        ("unavailable", 503, ["provider_unavailable", "unknown", "fresh_handshake"]),
        ("empty", 502, ["provider_contract_violation", "unknown", "fresh_handshake"]),
        ("garbled", 502, ["provider_contract_violation", "unknown", "fresh_handshake"]),
        ("oversize", 502, ["provider_contract_violation", "unknown", "fresh_handshake"]),
    ])
    func everyAnswerOfTheProcessorHasItsProblem(card: String, status: Int, expected: [String]) async throws {
        try await House.with { house in
            try await house.register("card_1", as: "sandbox_card_\(card)")
            let answer = try await provision(house, with: try SimulatedPhone(network: house.network))
            #expect(answer.status == status)
            #expect(members(answer) == expected)
            #expect(house.pushes("sandbox_card_\(card)").count == 1)
        }
    }

    @Test func aGoogleCallWithoutASessionIsRepeatedOnceWithTheSameKey() async throws {
        try await House.with { house in
            try await house.register("card_1")
            var fault = ScriptedFault()
            fault.pathSuffix = "/push_provision"
            fault.afterHandling = true
            fault.breaks = .reset
            house.sandbox.script(fault, for: "increase")
            let phone = SimulatedAndroidPhone(network: house.network, hasSession: false)
            let answer = try await provision(house, with: phone)
            #expect(answer.status == 201, "\(answer.problemLine)")
            let keys = house.pushes().map { $0.request.header("idempotency-key") }
            #expect(keys.count == 2 && keys[0] != nil && keys[0] == keys[1])
        }
    }

    @Test func aHandshakeThatTheProcessorRefusesNeedsAFreshOne() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let other = try phone.beginPass()
            let attempt = SpoiledAttempt(attempt: try phone.beginPass(), signature: other.nonceSignature)
            let answer = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(answer.status == 400)
            #expect(members(answer) == ["handshake_rejected", "refused", "fresh_handshake"])
        }
    }
}

/// An attempt whose signature is another's.
private struct SpoiledAttempt: DeviceAttempt {
    let attempt: PassAttempt
    let signature: SecretBytes

    var secrets: [SecretBytes] { attempt.secrets }

    func writeHandshake(into json: inout JSONWriter) {
        json.member(
            "apple_pay",
            object: { json in
                json.member(
                    "certificates",
                    array: { json in
                        for certificate in attempt.certificates { json.value(base64: SecretBytes(certificate)) }
                    })
                json.member("nonce", base64: attempt.nonce)
                json.member("nonce_signature", base64: signature)
            })
    }

    func finish(_ handoff: JSONView) throws(DeviceFailure) -> DeviceVerdict { try attempt.finish(handoff) }
}
