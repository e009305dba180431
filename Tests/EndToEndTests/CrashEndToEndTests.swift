import Foundation
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing

/// What becomes of attempts whose gateway was killed, once another one starts on the same store.
@Suite(.serialized)
struct CrashEndToEndTests {
    /// The only attempt of a card.
    private func attempt(_ house: House, card: String = "card_1") async throws -> JSONView {
        let list = try await house.gateway.client.send(.get, "/v1/provisionings?card=\(card)")
        let attempts = try #require(list.json?["data"]?.elements)
        #expect(attempts.count == 1)
        return try #require(attempts.first)
    }

    /// The steps of an attempt with their times.
    private func steps(_ house: House, of id: String) async throws -> [(step: String, at: Timestamp)] {
        let answer = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)/timeline")
        return try #require(answer.json?["data"]?.elements).map { step in
            let at = try #require(step["at"]?.string.flatMap { Timestamp(rfc3339: $0) })
            return (step["step"]?.string ?? "", at)
        }
    }

    /// Waits until something settles the attempt; an attempt that a crash left takes some twenty seconds.
    private func settled(_ house: House, _ id: String) async throws -> JSONView {
        var record: JSONView?
        try await house.wait {
            record = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)").json
            return record?["settlement"] != nil
        }
        return try #require(record)
    }

    @Test func whatWasBeingSentIsUnknownAfterItsDeadlineUntilTheTokensTell() async throws {
        try await House.with { house in
            try await house.register("card_1")
            var fault = ScriptedFault()
            fault.pathSuffix = "/push_provision"
            fault.afterHandling = true
            fault.delay = .seconds(60)
            house.sandbox.script(fault, for: "increase")
            let phone = try SimulatedPhone(network: house.network)
            let order = house.rehearsal.order(try phone.begin(), of: phone)
            func ask(_ key: String) async throws(TransportFailure) -> GatewayAnswer {
                try await house.gateway.client.send(
                    .post, "/v1/cards/card_1/provisionings", order,
                    headers: [.init("Passgate-Deadline", "4000"), .init("Idempotency-Key", key)])
            }
            async let lost: GatewayAnswer? = try? ask("key")
            try await house.wait { house.pushes().count == 1 }
            await house.kill()
            #expect(await lost == nil, "nobody was answered")
            try await house.restarted { _ in
                let left = try await attempt(house)
                let id = try #require(left["id"]?.string)
                #expect(left["status"]?.string == "sending")
                // Its key waits for its end, and its handshake is spent, whatever the key.
                let again = try await ask("key")
                #expect(again.status == 409 && again.code == "idempotency_key_in_use", "\(again.problemLine)")
                #expect(try await ask("another").code == "handshake_reused")
                let record = try await settled(house, id)
                #expect(record["status"]?.string == "active" && record["settlement"]?["by"]?.string == "probe")
                let steps = try await steps(house, of: id)
                let unknown = try #require(steps.first { $0.step == "unknown" })
                // Four seconds of deadline, counted from when the request came, and five more.
                #expect(unknown.at.milliseconds - steps[0].at.milliseconds >= 8_900)
                #expect(
                    steps.map(\.step).filter { $0 != "asked" }
                        == ["received", "checked", "reserved", "unknown", "token_found", "active"])
                #expect(try await ask("key").code == "handshake_reused", "the key is free, the handshake is not")
                #expect(house.pushes().count == 1)
            }
        }
    }

    /// The app has the key, and nobody has written that it was delivered.
    @Test func whatWasDeliveredAndNotRecordedIsSettledByStripesTokens() async throws {
        try await House.with({ [StripeEmulator(json: JSONParser(), network: $0)] }) { house in
            let sdk = try #require(house.sandbox.emulator(named: "stripe")?.sdk)
            let card = EmulatedCard(id: "ic_ok", last4: "4242", network: .visa)
            let registered = try await house.rehearsal.register("card_1", as: card, at: "stripe_demo")
            #expect(registered.status == 201, "\(registered.problemLine)")
            let phone = try SimulatedPhone(network: house.network)
            let order = house.rehearsal.order(try phone.begin(), of: phone, sdk: sdk)
            let answer = try await house.gateway.client.send(
                .post, "/v1/cards/card_1/provisionings", order, headers: [.init("Passgate-Deadline", "1000")])
            await house.kill()
            #expect(answer.status == 201, "\(answer.problemLine)")
            let handoff = try #require(answer.json?["handoff"])
            _ = try await sdk.redeem(handoff, for: .applePay)
            try await house.restarted { _ in
                let left = try await attempt(house)
                let id = try #require(left["id"]?.string)
                #expect(id == answer.json?["id"]?.string)
                let record = try await settled(house, id)
                #expect(record["status"]?.string == "active" && record["settlement"]?["by"]?.string == "probe")
                // Its end is written within 50 ms, and the gateway was killed at once: mostly it was too late.
                let steps = try await steps(house, of: id).map(\.step).filter { $0 != "asked" }
                let way = left["status"]?.string == "sending" ? ["unknown"] : ["sent", "answered", "handed_off"]
                #expect(steps == ["received", "checked", "reserved"] + way + ["token_found", "active"])
            }
        }
    }

    @Test func afterATimeoutStripesTokenSettlesTheRepeatThatWorked() async throws {
        try await House.with({ [StripeEmulator(json: JSONParser(), network: $0)] }) { house in
            let sdk = try #require(house.sandbox.emulator(named: "stripe")?.sdk)
            let card = EmulatedCard(id: "ic_ok", last4: "4242", network: .visa)
            _ = try await house.rehearsal.register("card_1", as: card, at: "stripe_demo")
            let phone = try SimulatedPhone(network: house.network)
            var fault = ScriptedFault()
            fault.pathSuffix = "/ephemeral_keys"
            fault.count = 2
            fault.afterHandling = true
            fault.breaks = .reset
            house.sandbox.script(fault, for: "stripe")
            let lost = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone, sdk: sdk)
            #expect(lost.status == 504 && lost.json?["retry"]?.string == "same_request", "\(lost.problemLine)")
            let lostID = try #require(lost.json?["provisioning"]?.string)
            let worked = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone, sdk: sdk)
            #expect(worked.status == 201, "\(worked.problemLine)")
            let id = try #require(worked.json?["id"]?.string)
            _ = try await sdk.redeem(try #require(worked.json?["handoff"]), for: .applePay)
            // The one that timed out is asked for; the token is the other's.
            let record = try await settled(house, id)
            #expect(record["status"]?.string == "active" && record["settlement"]?["by"]?.string == "probe")
            let other = try await house.gateway.client.send(.get, "/v1/provisionings/\(lostID)")
            #expect(other.json?["status"]?.string == "unknown" && other.json?["settlement"] == nil)
            let calls = house.sandbox.requests(to: "stripe").filter { $0.request.path == "/v1/ephemeral_keys" }
            #expect(calls.count == 3)
        }
    }

    /// Sends all orders at once; nil where there is no answer.
    private func ask(_ orders: [SecretBytes], _ house: House) async -> [GatewayAnswer?] {
        await withTaskGroup(of: GatewayAnswer?.self) { group in
            for order in orders {
                group.addTask { try? await house.gateway.client.send(.post, "/v1/cards/card_1/provisionings", order) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func killedUnderLoadAgainAndAgainItSendsNoHandshakeTwice() async throws {
        try await House.with(adjusting: { $0.additions = "limits: { provisionings_per_card_per_minute: 100000 }" }) {
            house in
            try await house.register("card_1")
            let phone = try SimulatedPhone(network: house.network)
            var orders: [SecretBytes] = []
            var answers: [GatewayAnswer?] = []
            // Each time all that were sent before are sent again, among new ones.
            for round in 0..<4 {
                orders += try (0..<15).map { _ in house.rehearsal.order(try phone.begin(), of: phone) }
                let seen = house.pushes().count
                let all = orders
                func askAndKill(_ process: ChildProcess) async throws {
                    async let asked = ask(all, house)
                    try await house.wait { house.pushes().count > seen + 3 * round }
                    process.signal(SIGKILL)
                    answers += await asked
                    _ = await process.exit(within: .seconds(10))
                }
                if round == 0 {
                    try await askAndKill(house.gateway.process)
                } else {
                    try await house.restarted { try await askAndKill($0) }
                }
            }
            orders += try (0..<5).map { _ in house.rehearsal.order(try phone.begin(), of: phone) }
            try await house.restarted { _ in answers += await ask(orders, house) }
            // What was reserved when it died is spent, sent or not; the rest is sent by whoever comes next.
            let others = Set(answers.compactMap { $0?.status == 201 ? nil : $0?.code })
            #expect(others == ["handshake_reused"])
            let nonces = try house.pushes().map { push in
                try #require(JSONParser().parse(push.request.body).root["apple_pay_in_app"]?["nonce"]?.string)
            }
            #expect(Set(nonces).count == nonces.count, "none was sent twice")
            #expect((5...nonces.count).contains(answers.count { $0?.status == 201 }))
            try await house.restarted { _ in
                #expect(await ask(orders, house).allSatisfy { $0?.code == "handshake_reused" })
                #expect(house.pushes().count == nonces.count)
            }
        }
    }

    /// What SQLite does when a process closes its last connection to a file that nobody else seems to have open: it takes
    /// the log away. The gateway that goes on must be seen to have it open.
    @Test func whatWasAcknowledgedStaysWhenAnotherGatewayLeavesTheStoreBeforeACrash() async throws {
        try await House.with { house in
            try await house.register("card_1", as: "sandbox_card_one")
            try await house.besideAnother { other in
                let answer = try await other.client.send(.get, "/v1/cards/card_1")
                #expect(answer.status == 200, "\(answer.problemLine)")
            }
            try await house.register("card_2", as: "sandbox_card_two")
            await house.kill()
            try await house.restarted { _ in
                for card in ["card_1", "card_2"] {
                    let answer = try await house.gateway.client.send(.get, "/v1/cards/\(card)")
                    #expect(answer.status == 200, "\(card): \(answer.problemLine)")
                }
            }
        }
    }
}
