import Foundation
import ProviderKit
import Provisioning
import SQLite
import Sandbox
import SecretMemory
import Testing

/// SIGTERM.
@Suite(.serialized)
struct DrainEndToEndTests {
    @Test func aRequestInFlightFinishesAndTheGatewayEndsInGoodOrder() async throws {
        try await House.with { house in
            try await house.register("card_1")
            var fault = ScriptedFault()
            fault.pathSuffix = "/push_provision"
            fault.delay = .milliseconds(1500)
            house.sandbox.script(fault, for: "increase")
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            let rehearsal = house.rehearsal
            async let pending = rehearsal.provision("card_1", with: attempt, of: phone)
            try await house.wait { house.pushes().count == 1 }
            house.gateway.process.drain()
            let answer = try await pending
            #expect(answer.status == 201, "\(answer.problemLine)")
            let handoff = try #require(answer.json?["handoff"])
            #expect(try attempt.finish(handoff).deed == "decrypted the pass")
            #expect(await house.gateway.process.exit(within: .seconds(10)) == 0)
            #expect(try stored(in: house) == [answer.json?["id"]?.string: "handed_off"])
            await #expect(throws: TransportFailure.self) {
                try await house.gateway.client.send(.get, "/healthz", within: .seconds(2))
            }
        }
    }

    /// The status of every attempt in the store of a gateway that has ended.
    private func stored(in house: House) throws -> [String?: String] {
        let file = house.gateway.folder.appending(path: "passgate.db").path
        let connection = try Connection(path: file, mode: .readOnly)
        defer { connection.close() }
        let rows = try connection.all("SELECT id, status FROM provisioning") { ($0.text(0), $0.text(1)) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }
}
