import Foundation
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// What the gateway does while its disk is full, read-only or broken, and afterwards: it refuses what is new before
/// anything is sent, and loses nothing.
@Suite(.serialized)
struct StoreFaultEndToEndTests {
    private func with(_ disk: FaultyDisk, _ body: (House) async throws -> Void) async throws {
        try await House.with(command: disk.command, adjusting: { $0.storeFolder = disk.folder }) { try await body($0) }
    }

    private func status(_ house: House, _ path: String) async throws -> Int {
        try await house.gateway.client.send(.get, path).status
    }

    private func provision(_ house: House, _ order: SecretBytes) async throws -> GatewayAnswer {
        try await house.gateway.client.send(.post, "/v1/cards/card_1/provisionings", order)
    }

    @Test(arguments: ["ENOSPC", "EDQUOT", "EROFS", "EIO", "EIO SYNC"])
    func whatIsNewIsRefusedAndNothingIsLost(fault: String) async throws {
        let disk = try FaultyDisk()
        try await with(disk) { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let (first, second) = try (
                house.rehearsal.order(phone.begin(), of: phone), house.rehearsal.order(phone.begin(), of: phone)
            )
            #expect(try await provision(house, first).status == 201)

            try disk.fail(with: fault)
            let card = EmulatedCard(id: "sandbox_card_two", last4: "1881", network: .visa)
            let refused = try await house.rehearsal.register("card_2", as: card, at: "increase_demo")
            #expect(refused.status == 503 && refused.code == "overloaded", "\(refused.problemLine)")
            #expect(refused.json?["retry"]?.string == "after_delay")
            let attempt = try await provision(house, second)
            #expect(attempt.status == 503 && attempt.code == "overloaded", "\(attempt.problemLine)")
            #expect(attempt.json?["outcome"]?.string == "not_sent")
            #expect(house.pushes().count == 1, "nothing left")
            #expect(try await status(house, "/v1/cards/card_1") == 200, "what is there can be read")
            #expect(try await status(house, "/readyz") == 503)
            #expect(try await status(house, "/healthz") == 200)

            try disk.mend()
            try await house.wait { try await status(house, "/readyz") == 200 }
            #expect(try await status(house, "/v1/cards/card_2") == 404, "what was refused is not there")
            let registered = try await house.rehearsal.register("card_2", as: card, at: "increase_demo")
            #expect(registered.status == 201, "\(registered.problemLine)")
            let again = try await provision(house, second)
            #expect(again.status == 201, "its handshake was not spent: \(again.problemLine)")
            #expect(try await provision(house, first).code == "handshake_reused")

            await house.kill()
            try await house.restarted(with: disk.command) { _ in
                for card in ["card_1", "card_2"] {
                    let found = try await status(house, "/v1/cards/\(card)")
                    #expect(found == 200, "\(card)")
                }
                let spent = try await provision(house, second)
                #expect(spent.code == "handshake_reused")
                #expect(house.pushes().count == 2)
            }
        }
    }

    @Test(arguments: ["ENOSPC", "EIO SYNC"])
    func anAttemptUnderWayIsDeliveredAndItsEndIsWrittenLater(fault: String) async throws {
        let disk = try FaultyDisk()
        try await with(disk) { house in
            try await house.register("card_1")
            var slow = ScriptedFault()
            slow.pathSuffix = "/push_provision"
            slow.afterHandling = true
            slow.delay = .milliseconds(400)
            house.sandbox.script(slow, for: "increase")
            let phone = try SimulatedPhone(network: house.network)
            let order = try house.rehearsal.order(phone.begin(), of: phone)
            async let answer = provision(house, order)
            try await house.wait { house.pushes().count == 1 }
            try disk.fail(with: fault)
            let made = try await answer
            #expect(made.status == 201, "\(made.problemLine)")
            let id = try #require(made.json?["id"]?.string)
            try disk.mend()
            try await house.wait {
                let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)")
                return record.json?["status"]?.string == "handed_off"
            }
            // Readers see an end before it is on disk; what is acknowledged later takes it along.
            try await house.register("card_2", as: "sandbox_card_two")
            await house.kill()
            try await house.restarted(with: disk.command) { _ in
                let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)")
                #expect(record.json?["status"]?.string == "handed_off")
                #expect(try await provision(house, order).code == "handshake_reused")
            }
        }
    }

    @Test(arguments: [("ENOSPC", "full"), ("EROFS", "cannot be written"), ("EIO", "cannot be read or written")])
    func aStoreThatCannotBeCreatedStopsTheStart(fault: String, words: String) async throws {
        let disk = try FaultyDisk()
        try await with(disk) { house in
            #expect(await house.gateway.stop() == 0)
            for file in try FileManager.default.contentsOfDirectory(atPath: disk.folder.path)
            where file.hasPrefix("passgate.db") {
                try FileManager.default.removeItem(at: disk.folder.appending(path: file))
            }
            try disk.fail(with: fault)
            let process = try ChildProcess(
                command: disk.command,
                arguments: ["serve", "--config", house.gateway.folder.appending(path: "passgate.yaml").path],
                in: house.gateway.folder)
            #expect(await process.exit(within: .seconds(20)) == 69)
            let written = String(decoding: process.written, as: UTF8.self)
            #expect(written.contains(words), "\(written)")
            await process.stop()
        }
    }
}
