import Foundation
import ProviderKit
import Provisioning
import SQLite
import Sandbox
import SecretMemory
import Testing

/// What is on disk before a byte leaves for a processor. Killing the gateway would show nothing, since the page cache
/// survives: so the built command is preloaded with a journal of its writes, syncs and sends.
@Suite(.serialized)
struct DurabilityEndToEndTests {
    /// A request and where it stands in the journal.
    private func provision(
        _ house: House, _ command: JournaledCommand, of device: any SimulatedDevice
    ) async throws -> (journal: SyncJournal, start: Int, sends: [Int]) {
        let start = try command.journal.events.count
        let answer = try await house.rehearsal.provision("card_1", with: try device.begin(), of: device)
        #expect(answer.status == 201, "\(answer.problemLine)")
        // The end of the attempt has a later sync: after it the gateway is at rest again.
        try await house.wait { try command.journal.syncs(from: start) >= 2 }
        let journal = try command.journal
        return (journal, start, journal.sends(to: Int(house.server.port), from: start))
    }

    @Test func exactlyOneSyncLiesBeforeTheFirstByteToAProcessor() async throws {
        let command = try JournaledCommand()
        try await House.with(command: command.url) { house in
            try await house.register("card_1")
            let devices: [any SimulatedDevice] = [
                try SimulatedPhone(network: house.network), SimulatedAndroidPhone(network: house.network),
                SimulatedBrowser(network: house.network),
            ]
            for device in devices + devices {
                let (journal, start, sends) = try await provision(house, command, of: device)
                let first = try #require(sends.first, "\(device.name)")
                #expect(journal.syncs(from: start, to: first) == 1, "\(device.name)")
                #expect(journal.syncs(from: start) == 2, "\(device.name): one more for the attempt's end")
                let before = try spent(in: journal, before: start)
                let after = try spent(in: journal, before: first)
                #expect(after.attempts == before.attempts + 1, "\(device.name)")
            }
        }
    }

    @Test func theFirstRequestOfANewProcessWaitsForNoMoreSyncs() async throws {
        let command = try JournaledCommand()
        try await House.with(command: command.url) { house in
            try await house.register("card_1")
            house.gateway.process.drain()
            #expect(await house.gateway.process.exit(within: .seconds(10)) == 0)
            try await house.restarted(with: command.url) { _ in
                let phone = try SimulatedPhone(network: house.network)
                let (journal, start, sends) = try await provision(house, command, of: phone)
                let first = try #require(sends.first)
                #expect(journal.syncs(from: start, to: first) == 1)
            }
        }
    }

    @Test func aPowerCutForgetsNothingThatWasSent() async throws {
        let command = try JournaledCommand()
        try await House.with(command: command.url) { house in
            try await house.register("card_1")
            let rehearsal = house.rehearsal
            let phones = try (0..<8).map { _ in try SimulatedPhone(network: house.network) }
            let attempts = try phones.map { try $0.begin() }
            try await withThrowingTaskGroup { group in
                for (phone, attempt) in zip(phones, attempts) {
                    group.addTask {
                        let answer = try await rehearsal.provision("card_1", with: attempt, of: phone)
                        #expect(answer.status == 201, "\(answer.problemLine)")
                    }
                }
                try await group.waitForAll()
            }
            let journal = try command.journal
            var sent = 0
            for send in journal.sends(to: Int(house.server.port)) {
                guard case .send(_, _, "POST") = journal.events[send] else { continue }
                sent += 1
                let durable = try spent(in: journal, before: send)
                #expect(durable.attempts >= sent && durable.handshakes >= sent)
            }
            #expect(sent == 8)
            // And in service: the last one that left is known to whoever starts on what the power cut left.
            let last = try #require(journal.sends(to: Int(house.server.port)).last)
            await house.kill()
            try write(journal.files(durableBefore: last), to: house.gateway.folder)
            try await house.restarted { _ in
                for (phone, attempt) in zip(phones, attempts) {
                    let again = try await rehearsal.provision("card_1", with: attempt, of: phone)
                    #expect(again.code == "handshake_reused", "\(again.problemLine)")
                }
                #expect(house.pushes().count == 8)
            }
        }
    }

    /// The power goes just as the answer leaves: what was answered is read by whoever starts on what is left.
    @Test func aPowerCutForgetsNoWebhookThatWasAnswered() async throws {
        let command = try JournaledCommand()
        try await House.with(command: command.url) { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let made = try await house.rehearsal.provision("card_1", with: try phone.begin(), of: phone)
            let attempt = try #require(made.json?["id"]?.string, "\(made.problemLine)")
            try await house.wait { try await house.list("/v1/events").count == 1 }
            let token = try await house.increaseToken(of: "sandbox_card_ok")
            // What the webhook names is told late, so nothing is read before the power goes.
            var fault = ScriptedFault()
            fault.pathSuffix = "/digital_wallet_tokens/\(token)"
            fault.delay = .seconds(5)
            house.sandbox.script(fault, for: "increase")
            let start = try command.journal.events.count
            let body = #"{"id":"event_1","category":"digital_wallet_token.updated","associated_object_id":"\#(token)"}"#
            let answer = try await house.deliver(body, to: "increase_demo", SignedWebhook.increase(body))
            #expect(answer.status == 200)
            let journal = try command.journal
            let cut = try #require(
                journal.events.indices.dropFirst(start).first { index in
                    guard case .send(_, _, let word) = journal.events[index] else { return false }
                    return word.hasPrefix("HTTP")
                })
            await house.kill()
            try write(journal.files(durableBefore: cut), to: house.gateway.folder)
            try await house.restarted { _ in
                try await house.wait {
                    let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(attempt)")
                    return record.json?["settlement"]?["by"]?.string == "webhook"
                }
                let again = try await house.deliver(body, to: "increase_demo", SignedWebhook.increase(body))
                #expect(again.status == 200)
                #expect(try await house.list("/v1/events?type=token.*").count == 1)
            }
        }
    }

    /// How many attempts and spent handshakes the store holds that a power cut before an event leaves.
    private func spent(in journal: SyncJournal, before cut: Int) throws -> (attempts: Int64, handshakes: Int64) {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try write(journal.files(durableBefore: cut), to: folder)
        let store = try Connection(path: folder.appending(path: "passgate.db").path, mode: .readWrite)
        defer { store.close() }
        let health = try store.first("PRAGMA integrity_check") { $0.text(0) }
        #expect(health == "ok")
        let attempts = try store.first("SELECT count(*) FROM provisioning") { $0.integer(0) }
        let handshakes = try store.first("SELECT count(*) FROM spent_handshake") { $0.integer(0) }
        return (attempts ?? 0, handshakes ?? 0)
    }

    /// Replaces the store in a folder.
    private func write(_ files: [String: [UInt8]], to folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.contains(".db") {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        for (name, bytes) in files where name.contains(".db") {
            try Data(bytes).write(to: folder.appending(path: name))
        }
    }
}
