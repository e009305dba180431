import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// Cardholders, connections and kinds of calls that must not feel each other.
@Suite(.serialized)
struct IsolationEndToEndTests {
    /// An answer without what differs in every answer.
    private func comparable(_ answer: GatewayAnswer) throws -> String {
        let id = try #require(answer.headers.first { $0.name == "request-id" }?.value)
        let names = answer.headers.map(\.name).sorted().joined(separator: " ")
        return "\(answer.status) \(names) " + (answer.body.revealText() ?? "").replacing(id, with: "")
    }

    @Test("E14: another cardholder's card is an unknown card, at every processor and for every wallet")
    func anotherCardholdersCardIsUnknown() async throws {
        let network = SimulatedNetwork()
        let processors = try MatrixCall.emulators(network: network).map { ($0, try FaultyUpstream($0)) }
        defer { for (_, processor) in processors { processor.stop() } }
        let connections = processors.map { ($0.0.name, $0.0.connection(at: $0.1.url)) }
        try await InProcessGateway.with(connections) { house in
            let owner = Rehearsal(gateway: house.client, cardholderID: "owner")
            let stranger = Rehearsal(gateway: house.client, cardholderID: "stranger")
            for (emulator, processor) in processors {
                let registered = try await owner.register(emulator.name, as: emulator.demoCard, at: emulator.name)
                #expect(registered.status == 201, "\(registered.problemLine)")
                processor.arm(.none)
                for call in MatrixCall.all where call.emulator == emulator.name && call.isProvisioning {
                    let device = try call.device(network: network)
                    let attempt = try device.begin()
                    let hidden = try await stranger.provision(
                        emulator.name, with: attempt, of: device, sdk: emulator.sdk)
                    let unknown = try await stranger.provision("nobody", with: attempt, of: device, sdk: emulator.sdk)
                    #expect(hidden.status == 404 && hidden.code == "card_not_found", "\(hidden.problemLine)")
                    #expect(try comparable(hidden) == comparable(unknown))
                    #expect(processor.calls.isEmpty, "\(emulator.displayName) was asked")
                    // And nothing of the handshake is spent by whom it does not belong to.
                    let rightful = try await owner.provision(
                        emulator.name, with: attempt, of: device, sdk: emulator.sdk)
                    #expect(rightful.status == 201, "\(emulator.displayName): \(rightful.problemLine)")
                    processor.arm(.none)
                }
            }
        }
    }

    /// A house whose connection to Increase has another setting.
    private func with(_ setting: (key: String, value: String), _ body: (House) async throws -> Void) async throws {
        try await House.with(adjusting: { configuration in
            configuration.additions = "limits: { provisionings_per_card_per_minute: 100000 }"
            configuration.connections = configuration.connections.map { name, connection in
                guard name == "increase_demo" else { return (name, connection) }
                return (name, EmulatedConnection(settings: connection.settings + [setting]))
            }
        }) { try await body($0) }
    }

    /// Registers a card at Imprint, and puts it into a wallet.
    private func provisionAtImprint(_ house: House, _ card: String) async throws -> GatewayAnswer {
        let imprint = try #require(house.sandbox.emulator(named: "imprint"))
        let registered = try await house.rehearsal.register(card, as: imprint.demoCard, at: "imprint_demo")
        #expect([200, 201].contains(registered.status), "\(registered.problemLine)")
        let phone = try SimulatedPhone(network: house.network)
        return try await house.rehearsal.provision(card, with: phone.begin(), of: phone)
    }

    @Test func aFullConnectionRefusesAtOnceAndNoOtherFeelsIt() async throws {
        try await with(("in_flight", "2")) { house in
            try await house.register("card_1")
            var fault = ScriptedFault()
            fault.pathSuffix = "/push_provision"
            fault.count = 2
            fault.delay = .seconds(4)
            house.sandbox.script(fault, for: "increase")
            let rehearsal = house.rehearsal
            let phones = try (0..<3).map { _ in try SimulatedPhone(network: house.network) }
            let attempts = try phones.map { try $0.begin() }
            async let first = rehearsal.provision("card_1", with: attempts[0], of: phones[0])
            async let second = rehearsal.provision("card_1", with: attempts[1], of: phones[1])
            try await house.wait { house.pushes().count == 2 }
            let third = try await rehearsal.provision("card_1", with: attempts[2], of: phones[2])
            #expect(third.status == 503 && third.code == "overloaded", "\(third.problemLine)")
            #expect(third.json?["outcome"]?.string == "not_sent" && third.json?["retry"]?.string == "after_delay")
            #expect(third.headers.contains { $0.name == "retry-after" })
            #expect(third.elapsed < .seconds(2), "it waited in no queue")
            let other = try await provisionAtImprint(house, "card_2")
            #expect(other.status == 201 && other.elapsed < .seconds(2), "\(other.problemLine)")
            #expect(house.pushes().count == 2)
            #expect(try await first.status == 201)
            #expect(try await second.status == 201)
            let again = try await rehearsal.provision("card_1", with: attempts[2], of: phones[2])
            #expect(again.status == 201, "its handshake was not spent: \(again.problemLine)")
        }
    }

    @Test func aFailingConnectionIsLeftAloneAndNoOtherFeelsIt() async throws {
        try await with(("in_flight", "64")) { house in
            try await house.register("bad", as: "sandbox_card_error")
            try await house.register("good")
            let phone = try SimulatedPhone(network: house.network)
            for _ in 0..<20 {
                let answer = try await house.rehearsal.provision("bad", with: phone.begin(), of: phone)
                #expect(answer.code == "provider_unavailable" && answer.json?["outcome"]?.string == "unknown")
            }
            let attempt = try phone.begin()
            let refused = try await house.rehearsal.provision("good", with: attempt, of: phone)
            #expect(refused.status == 503 && refused.code == "provider_unavailable", "\(refused.problemLine)")
            #expect(refused.json?["outcome"]?.string == "not_sent" && refused.json?["retry"]?.string == "after_delay")
            #expect(house.pushes().isEmpty, "the processor was not asked")
            #expect(try await provisionAtImprint(house, "card_2").status == 201)
            // One request a second finds out whether it is well again; its handshake is still good.
            var answer = refused
            try await house.wait {
                answer = try await house.rehearsal.provision("good", with: attempt, of: phone)
                return answer.code != "provider_unavailable"
            }
            #expect(answer.status == 201, "\(answer.problemLine)")
            #expect(try await house.rehearsal.provision("good", with: phone.begin(), of: phone).status == 201)
        }
    }

    @Test func readsTakeATenthOfAConnectionsRateBehindItsProvisionings() async throws {
        try await with(("rate_per_second", "20")) { house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            let attempts = try (0..<18).map { _ in try phone.begin() }
            let rehearsal = house.rehearsal
            let start = ContinuousClock.now
            let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        let answer = try await rehearsal.wallets(of: "card_1")
                        for row in answer.json?["data"]?.elements ?? [] where row["eligible"]?.bool != true {
                            #expect(row["eligible"]?.isNull == true && row["reason"]?.string == "overloaded")
                        }
                        return nil
                    }
                }
                for attempt in attempts {
                    group.addTask { try await rehearsal.provision("card_1", with: attempt, of: phone).status }
                }
                var statuses: [Int] = []
                for try await status in group { if let status { statuses.append(status) } }
                return statuses
            }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            #expect(statuses.count == 18 && statuses.allSatisfy { $0 == 201 }, "\(statuses)")
            let reads = house.sandbox.requests(to: "increase").count { $0.request.method == "GET" }
            #expect((1...Int(2 + 2 * seconds)).contains(reads), "\(reads) reads in \(seconds) s")
        }
    }
}
