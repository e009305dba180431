import PostgreSQLServer
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// Many requests at once, of which the processor may see one: at one gateway, and at two processes on one store.
@Suite(.serialized)
struct RaceEndToEndTests {
    /// Who serves, and from which store.
    enum Scene: CaseIterable {
        case oneProcess
        case twoProcessesOnOneFile
        case twoProcessesOnOneDatabase
    }

    /// Runs the test with one gateway, or with another process beside it on the same store.
    private func with(_ scene: Scene, _ body: (House, [GatewayClient]) async throws -> Void) async throws {
        let url = scene == .twoProcessesOnOneDatabase ? try await PostgreSQLServer.shared.makeSchema() : nil
        try await House.with(adjusting: {
            $0.additions = "limits: { provisionings_per_card_per_minute: 100000 }"
            $0.storeURL = url
        }) { house in
            if scene == .oneProcess { return try await body(house, [house.gateway.client]) }
            try await house.besideAnother { try await body(house, [house.gateway.client, $0.client]) }
        }
    }

    /// All calls that reached the processor's provisioning, whatever the card.
    private func pushes(_ house: House) -> [RequestRecord] {
        house.sandbox.requests(to: "increase").filter { $0.request.path.hasSuffix("/push_provision") }
    }

    /// Sends that many requests at once, to the gateways in turn.
    private func send(
        _ count: Int, _ body: SecretBytes, to gateways: [GatewayClient], card: @escaping @Sendable (Int) -> String,
        key: @escaping @Sendable (Int) -> String
    ) async throws -> [GatewayAnswer] {
        try await withThrowingTaskGroup(of: GatewayAnswer.self) { group in
            for number in 0..<count {
                let gateway = gateways[number % gateways.count]
                group.addTask {
                    try await gateway.send(
                        .post, "/v1/cards/\(card(number))/provisionings", body,
                        headers: [.init("Idempotency-Key", key(number))])
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(
        "H16: of a hundred requests with one nonce one is sent, whatever the key and the card",
        arguments: Scene.allCases)
    func oneOfAHundredWithOneNonceIsSent(_ scene: Scene) async throws {
        try await with(scene) { house, gateways in
            for number in 0..<10 { try await house.register("card_\(number)", as: "sandbox_card_ok\(number)") }
            let phone = try SimulatedPhone(network: house.network)
            let order = house.rehearsal.order(try phone.begin(), of: phone)
            let answers = try await send(100, order, to: gateways) {
                "card_\($0 % 10)"
            } key: {
                "key-\($0)"
            }
            let refused = answers.filter { $0.status != 201 }
            #expect(answers.count == 100 && refused.count == 99)
            for answer in refused {
                #expect(answer.status == 409 && answer.code == "handshake_reused", "\(answer.problemLine)")
                #expect(answer.json?["outcome"]?.string == "not_sent")
                #expect(answer.json?["retry"]?.string == "fresh_handshake")
            }
            #expect(pushes(house).count == 1)
            let list = try await house.gateway.client.send(.get, "/v1/provisionings?limit=100")
            #expect(list.json?["data"]?.elements?.count == 1, "what was refused left no record")
        }
    }

    @Test("I04: of fifty requests under one key one is sent", arguments: Scene.allCases)
    func oneOfFiftyUnderOneKeyIsSent(_ scene: Scene) async throws {
        try await with(scene) { house, gateways in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let order = house.rehearsal.order(try phone.begin(), of: phone)
            let answers = try await send(50, order, to: gateways) { _ in
                "card_1"
            } key: { _ in
                "one"
            }
            #expect(answers.count { $0.status == 201 } == 1)
            for answer in answers where answer.status != 201 {
                #expect(answer.status == 409)
                #expect(["idempotency_key_in_use", "handoff_already_delivered"].contains(answer.code))
                if answer.code == "idempotency_key_in_use" {
                    let seconds = answer.headers.first { $0.name == "retry-after" }.flatMap { Int($0.value) }
                    #expect((1...20).contains(seconds ?? 0))
                }
            }
            #expect(pushes(house).count == 1)
            // Each process knows how it ended, whichever of them served it: at once there, and elsewhere once that is
            // written.
            for gateway in gateways {
                try await house.wait {
                    let again = try await gateway.send(
                        .post, "/v1/cards/card_1/provisionings", order, headers: [.init("Idempotency-Key", "one")])
                    #expect(again.status == 409, "\(again.problemLine)")
                    return again.code == "handoff_already_delivered"
                }
            }
            #expect(pushes(house).count == 1)
        }
    }

    @Test("I04: what may be repeated is repeated under one key of the processor's", arguments: Scene.allCases)
    func fiftyRepeatableUnderOneKeyAreOneAtTheProcessor(_ scene: Scene) async throws {
        try await with(scene) { house, gateways in
            try await house.register("card_1")
            let phone = SimulatedAndroidPhone(network: house.network, hasSession: false)
            let order = house.rehearsal.order(try phone.begin(), of: phone)
            let answers = try await send(50, order, to: gateways) { _ in
                "card_1"
            } key: { _ in
                "one"
            }
            let made = answers.filter { $0.status == 201 }
            #expect(!made.isEmpty)
            for answer in answers where answer.status != 201 {
                #expect(answer.status == 409 && answer.code == "idempotency_key_in_use", "\(answer.problemLine)")
            }
            #expect(Set(pushes(house).map { $0.request.header("idempotency-key") }).count == 1)
            let cards = Set(made.map { $0.json?["handoff"]?["token_card"]?.string })
            #expect(cards.count == 1 && !cards.contains(nil), "each got the same card")
        }
    }
}
