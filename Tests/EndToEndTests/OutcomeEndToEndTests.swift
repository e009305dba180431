import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// What becomes of attempts after their answer: the real gateway asks the emulated processor.
@Suite(.serialized)
struct OutcomeEndToEndTests {
    /// Reads the attempt until the condition holds, half a minute at most.
    private func read(
        _ id: String, _ house: House, until condition: (GatewayAnswer) -> Bool
    ) async throws -> GatewayAnswer {
        let end = ContinuousClock.now + .seconds(30)
        while true {
            let answer = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)")
            if condition(answer) { return answer }
            try #require(ContinuousClock.now < end, "it never came to that")
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Breaks the connection of the next push, before or after the processor does what it asks.
    private func breakNextPush(_ house: House, afterHandling: Bool) {
        var fault = ScriptedFault()
        fault.pathSuffix = "/push_provision"
        fault.afterHandling = afterHandling
        fault.breaks = .reset
        house.sandbox.script(fault, for: "increase")
    }

    /// An attempt whose answer never came.
    private func lose(_ house: House, afterHandling: Bool) async throws -> String {
        breakNextPush(house, afterHandling: afterHandling)
        let phone = try SimulatedPhone(network: house.network)
        let lost = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
        #expect(lost.status == 504 && lost.code == "provider_timeout")
        return try #require(lost.json?["provisioning"]?.string)
    }

    @Test func afterATimeoutTheTokenSettlesTheRepeatThatWorked() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let lost = try await lose(house, afterHandling: false)
            let phone = try SimulatedPhone(network: house.network)
            let worked = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            #expect(worked.status == 201, "\(worked.problemLine)")
            let id = try #require(worked.json?["id"]?.string)
            // The one that timed out is asked for; the token is the other's.
            let settled = try await read(id, house) { $0.json?["settlement"] != nil }
            #expect(settled.json?["settlement"]?["by"]?.string == "probe")
            #expect(settled.json?["status"]?.string == "active")
            let other = try await house.gateway.client.send(.get, "/v1/provisionings/\(lost)")
            #expect(other.json?["status"]?.string == "unknown")
            let timeline = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)/timeline")
            let steps = timeline.json?["data"]?.elements?.map { $0["step"]?.string }
            #expect(
                steps == [
                    "received", "checked", "reserved", "sent", "answered", "handed_off", "token_found", "active",
                ])
            #expect(house.pushes().count == 2)
        }
    }

    @Test func aLostAnswerIsSettledByTheTokenThatItMade() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let lost = try await lose(house, afterHandling: true)
            let settled = try await read(lost, house) { $0.json?["settlement"] != nil }
            #expect(settled.json?["status"]?.string == "active")
            #expect(settled.json?["failure"]?["code"]?.string == "provider_timeout")
        }
    }

    @Test func whatTheDeviceSaysIsTaken() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let answer = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            let id = try #require(answer.json?["id"]?.string)
            let report = SecretBytes(
                utf8: #"{"result":"failed","error":{"domain":"PKPassKitErrorDomain","code":1,"message":"canary"}}"#)
            let taken = try await house.gateway.client.send(.post, "/v1/provisionings/\(id)/outcome", report)
            #expect(taken.status == 202 && taken.json?["status"]?.string == "failed")
            let timeline = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)/timeline")
            let codes = timeline.json?["data"]?.elements?.suffix(2).map { $0["code"]?.string }
            #expect(codes == ["1", "cancelled_by_cardholder"])
        }
    }
}
