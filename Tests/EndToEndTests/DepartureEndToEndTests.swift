import Foundation
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// Callers who leave.
@Suite(.serialized)
struct DepartureEndToEndTests {
    private func send(_ order: SecretBytes, to house: House) throws -> RawCaller {
        let gateway = house.gateway.configuration
        let caller = try RawCaller(port: gateway.port)
        try caller.send("POST", "/v1/cards/card_1/provisionings", order, as: gateway.apiKey)
        return caller
    }

    private func statuses(_ house: House) async throws -> [String] {
        let answer = try await house.gateway.client.send(.get, "/v1/provisionings?card=card_1")
        return try #require(answer.json?["data"]?.elements).compactMap { $0["status"]?.string }
    }

    /// Has the processor keep its answer to itself for a while.
    private func delay(_ house: House, by delay: Duration) {
        var fault = ScriptedFault()
        fault.pathSuffix = "/push_provision"
        fault.delay = delay
        house.sandbox.script(fault, for: "increase")
    }

    @Test func whatCameForACallerWhoHasGoneIsUndelivered() async throws {
        try await House.with { house in
            try await house.register("card_1")
            delay(house, by: .seconds(3))
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            let caller = try send(house.rehearsal.order(attempt, of: phone), to: house)
            try await house.wait { house.pushes().count == 1 }
            #expect(try await statuses(house) == ["sending"])
            try caller.reset()
            try await house.wait { try await statuses(house) == ["undelivered"] }
            // The processor took the handshake, whoever is there to hear of it.
            let again = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(again.code == "handshake_reused")
            #expect(house.pushes().count == 1)
        }
    }

    @Test func aCallerWhoHasOnlyEndedItsSideIsAnswered() async throws {
        try await House.with { house in
            try await house.register("card_1")
            delay(house, by: .milliseconds(300))
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            let caller = try send(house.rehearsal.order(attempt, of: phone), to: house)
            caller.halfClose()
            let answer = try await caller.rest()
            #expect(answer.hasPrefix("HTTP/1.1 201 "), "\(answer.prefix(200))")
            #expect(try await statuses(house) == ["handed_off"])
        }
    }

    @Test func nothingIsSentForACallerWhoLeftBeforeAndNothingIsSpent() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            let port = house.server.port
            await house.server.stop()
            let stalled = try StalledPort(port)
            let caller = try send(house.rehearsal.order(attempt, of: phone), to: house)
            try await house.wait { try await statuses(house) == ["sending"] }
            try caller.reset()
            try await house.wait { try await statuses(house) == ["refused"] }
            try stalled.close()
            let server = try SandboxServer(house.sandbox, port: port, on: house.loops)
            let answer = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(answer.status == 201, "\(answer.problemLine)")
            #expect(house.pushes().count == 1)
            await server.stop()
        }
    }
}
