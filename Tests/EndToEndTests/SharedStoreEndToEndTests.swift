import Foundation
import JSON
import PostgreSQLServer
import ProviderKit
import Provisioning
import RawSockets
import Sandbox
import SecretMemory
import Synchronization
import Testing

/// Gateways on one PostgreSQL database: what becomes of requests while it is away, and of one gateway's work when it is
/// killed.
@Suite(.serialized)
struct SharedStoreEndToEndTests {
    @Test func anOutageIsToldAtOnceAndSendsNothing() async throws {
        let server = try await PostgreSQLServer()
        try await House.with(adjusting: { $0.storeURL = server.networkURL() }) { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let order = house.rehearsal.order(try phone.begin(), of: phone)
            try await server.stop()
            // The first may be under way when the connections break, and is tried again for a while.
            for number in 0..<4 {
                let start = ContinuousClock.now
                let answer = try await house.gateway.client.send(
                    .post, "/v1/cards/card_1/provisionings", order, headers: [.init("Idempotency-Key", "key")])
                #expect(answer.status == 503 && answer.code == "overloaded", "\(answer.problemLine)")
                #expect(answer.json?["outcome"]?.string == "not_sent" && answer.json?["retry"]?.string == "after_delay")
                #expect(ContinuousClock.now - start < .seconds(number == 0 ? 8 : 1))
            }
            #expect(try await house.gateway.client.send(.get, "/readyz").status == 503)
            #expect(try await house.gateway.client.send(.get, "/healthz").status == 200)
            try await server.start()
            try await house.wait { try await house.gateway.client.send(.get, "/readyz").status == 200 }
            // The handshake was not spent, and the key was not taken.
            let answer = try await house.gateway.client.send(
                .post, "/v1/cards/card_1/provisionings", order, headers: [.init("Idempotency-Key", "key")])
            #expect(answer.status == 201, "\(answer.problemLine)")
            #expect(house.pushes().count == 1)
            #expect(!house.gateway.process.output.contains("canary"), "the database's password is in the log")
        }
    }

    /// The database goes while a processor is asked: what the processor gave is handed on all the same, and kept once the
    /// database is back.
    @Test func anOutageHoldsNoHandoffBack() async throws {
        let server = try await PostgreSQLServer()
        try await House.with(adjusting: { $0.storeURL = server.url() }) { house in
            try await house.register("card_1")
            var fault = ScriptedFault()
            fault.pathSuffix = "/push_provision"
            fault.delay = .seconds(3)
            house.sandbox.script(fault, for: "increase")
            let phone = try SimulatedPhone(network: house.network)
            let attempt = try phone.begin()
            let rehearsal = house.rehearsal
            async let pending = rehearsal.provision("card_1", with: attempt, of: phone)
            try await house.wait { house.pushes().count == 1 }
            try await server.stop()
            let answer = try await pending
            #expect(answer.status == 201, "\(answer.problemLine)")
            #expect(try attempt.finish(try #require(answer.json?["handoff"])).deed == "decrypted the pass")
            try await server.start()
            let id = try #require(answer.json?["id"]?.string)
            try await house.wait {
                let record = try? await house.gateway.client.send(.get, "/v1/provisionings/\(id)")
                return ["handed_off", "active"].contains(record?.json?["status"]?.string)
            }
            #expect(house.pushes().count == 1)
        }
    }

    @Test func severalGatewaysMayStartAtOnceOnAnEmptyDatabase() async throws {
        let url = try await PostgreSQLServer.shared.makeSchema()
        try await House.with { house in
            let command = try House.command("passgate")
            let gateways = try await withThrowingTaskGroup(of: LaboratoryGateway.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        try await LaboratoryGateway.start(
                            command: command, connections: house.server.connections, on: house.loops,
                            transport: house.transport, json: JSONParser()
                        ) { configuration in
                            configuration.storeURL = url
                            configuration.apiKey = house.gateway.configuration.apiKey
                            configuration.rootSecret = house.gateway.configuration.rootSecret
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let rehearsal = Rehearsal(gateway: gateways[0].client, cardholderID: "user_1")
            let card = EmulatedCard(id: "sandbox_card_ok", last4: "1881", network: .visa)
            #expect(try await rehearsal.register("card_1", as: card, at: "increase_demo").status == 201)
            for gateway in gateways {
                #expect(try await gateway.client.send(.get, "/v1/cards/card_1").status == 200)
                #expect(await gateway.stop() == 0)
                gateway.removeFolder()
            }
        }
    }

    /// A gateway is killed while an attempt and an event are under way. The other one asks the processor what became of the
    /// attempt, and sends the event again under its id.
    @Test func theOtherGatewayGoesOnWithWhatAKilledOneHadBegun() async throws {
        let url = try await PostgreSQLServer.shared.makeSchema()
        let (arrivals, arrived) = AsyncStream.makeStream(of: Void.self)
        let isBack = Mutex(false)
        let receiver = try ScriptedServer { peer in
            while peer.readRequest() != nil {
                if isBack.withLock({ $0 }) {
                    peer.answer()
                } else {
                    arrived.yield()
                    peer.waitForEnd()
                }
            }
        }
        defer { receiver.stop() }
        try await House.with(adjusting: {
            $0.additions += "event_destinations: { allow_private: true }\n"
            $0.storeURL = url
        }) { house in
            try await house.besideAnother { other in
                try await house.register("card_1")
                try await house.register("card_2", as: "sandbox_card_ok2")
                let phone = try SimulatedPhone(network: house.network)
                let destination = try await house.gateway.client.send(
                    .post, "/v1/event_destinations", SecretBytes(utf8: #"{"url":"\#(receiver.url())"}"#))
                let destinationID = try #require(destination.json?["id"]?.string, "\(destination.problemLine)")
                // The other gateway sends none of it: it asks only now and then, and this one was told.
                #expect(try await house.rehearsal.provision("card_2", with: phone.begin(), of: phone).status == 201)
                for await _ in arrivals { break }

                var fault = ScriptedFault()
                fault.pathSuffix = "/push_provision"
                fault.afterHandling = true
                fault.delay = .seconds(60)
                house.sandbox.script(fault, for: "increase")
                let order = house.rehearsal.order(try phone.begin(), of: phone)
                async let lost: GatewayAnswer? = try? house.gateway.client.send(
                    .post, "/v1/cards/card_1/provisionings", order,
                    headers: [.init("Passgate-Deadline", "1000"), .init("Idempotency-Key", "key")])
                try await house.wait { house.pushes().count == 1 }
                await house.kill()
                isBack.withLock { $0 = true }
                #expect(await lost == nil, "nobody was answered")

                let again = try await other.client.send(
                    .post, "/v1/cards/card_1/provisionings", order, headers: [.init("Idempotency-Key", "another")])
                #expect(again.code == "handshake_reused", "\(again.problemLine)")
                let list = try await other.client.send(.get, "/v1/provisionings?card=card_1")
                let id = try #require(list.json?["data"]?.elements?.first?["id"]?.string)
                try await house.wait {
                    let record = try await other.client.send(.get, "/v1/provisionings/\(id)")
                    return record.json?["status"]?.string == "active"
                }
                #expect(house.pushes().count == 1)
                try await house.wait {
                    let answer = try await other.client.send(.get, "/v1/event_destinations/\(destinationID)")
                    let deliveries = answer.json?["deliveries"]?["data"]?.elements ?? []
                    return !deliveries.isEmpty && deliveries.allSatisfy { $0["status"]?.string == "delivered" }
                }
                let ids = receiver.received.components(separatedBy: "webhook-id: ").dropFirst().map { $0.prefix(30) }
                #expect(ids.count == Set(ids).count + 1, "what the killed gateway was sending was sent once more")
            }
        }
    }
}
