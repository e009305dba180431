import ImprintEmulator
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// Bindings that are changed from many sides at once, at two processes on one store.
@Suite(.serialized)
struct BindingEndToEndTests {
    private static func body(_ connection: String, _ state: String, _ number: Int = 0) -> SecretBytes {
        let id =
            connection == "increase_demo"
            ? "sandbox_card_ok" : "00000000-0000-4000-8000-00000000000\(number)"
        return SecretBytes(
            utf8: #"{"provider_card_id":"\#(id)","last4":"1881","network":"visa","state":"\#(state)"}"#)
    }

    @Test func ofManyThatAreMadeActiveAtOnceOneIs() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let path = "/v1/cards/card_1/bindings/"
            let added = try await house.gateway.client.send(
                .put, path + "imprint_demo", Self.body("imprint_demo", "standby"))
            #expect(added.status == 201, "\(added.problemLine)")
            try await house.besideAnother { other in
                let clients = [house.gateway.client, other.client]
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<40 {
                        let connection = number % 4 < 2 ? "increase_demo" : "imprint_demo"
                        group.addTask {
                            try await clients[number % 2].send(
                                .put, path + connection, Self.body(connection, "active")
                            ).status
                        }
                    }
                    for try await status in group { #expect(status == 200) }
                }
                for client in clients {
                    let card = try await client.send(.get, "/v1/cards/card_1")
                    let states = card.json?["bindings"]?.elements?.compactMap { $0["state"]?.string } ?? []
                    #expect(states.sorted() == ["active", "standby"])
                }
                // Each change of who is active is told as two events, with no gap.
                let events = try await other.client.send(.get, "/v1/events?card=card_1&type=card.*&limit=100")
                let sequences = events.json?["data"]?.elements?.compactMap { $0["sequence"]?.integer } ?? []
                #expect(sequences == Array(1...sequences.count) && sequences.count % 2 == 1)
            }
        }
    }

    @Test func whoIsActiveServesTheNextAttempt() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let first = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone)
            #expect(first.status == 201 && first.json?["connection"]?.string == "increase_demo")
            let path = "/v1/cards/card_1/bindings/"
            let active = try await house.gateway.client.send(
                .put, path + "imprint_demo", Self.body("imprint_demo", "active", 1))
            #expect(active.status == 201 && active.json?["serving"]?.string == "imprint_demo")
            // The processor does not know this card: that it was asked is what counts.
            let second = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone)
            #expect(second.json?["provider"]?["connection"]?.string == "imprint_demo", "\(second.problemLine)")
            #expect(house.pushes().count == 1)
        }
    }
}
