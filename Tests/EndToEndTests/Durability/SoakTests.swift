import Foundation
import JSON
import ProviderKit
import ProviderTesting
import Sandbox
import SecretMemory
import Testing

/// A gateway that is killed at random moments under load, and started again on the same store. `make soak` runs a
/// hundred rounds (`SOAK_ROUNDS`), from another seed where `SOAK_SEED` tells one.
@Suite(.serialized)
struct SoakTests {
    private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

    @Test func whatWasAcknowledgedOutlivesEveryKillAndNoHandshakeIsSentTwice() async throws {
        let rounds = Self.number("SOAK_ROUNDS") ?? 5
        var random = DeterministicRandom(seed: UInt64(Self.number("SOAK_SEED") ?? 20_261_130))
        let limits = "limits: { provisionings_per_card_per_minute: 1000000 }"
        try await House.with(adjusting: { $0.additions = limits }) { house in
            try await house.register("card_ok")
            let ledger = SoakLedger()
            for round in 0..<rounds {
                let target = ledger.answers + Int.random(in: 1...60, using: &random)
                let seeds = (0..<6).map { _ in random.next() }
                func loadAndKill(_ process: ChildProcess) async throws {
                    try await withThrowingTaskGroup { group in
                        for (worker, seed) in seeds.enumerated() {
                            group.addTask {
                                if worker.isMultiple(of: 2) {
                                    await changeCards(house, ledger, "r\(round)w\(worker)", seed)
                                } else {
                                    try await provision(house, ledger)
                                }
                            }
                        }
                        try await house.wait { ledger.answers >= target }
                        process.signal(SIGKILL)
                        try await group.waitForAll()
                    }
                    _ = await process.exit(within: .seconds(10))
                }
                if round == 0 {
                    try await loadAndKill(house.gateway.process)
                } else {
                    try await house.restarted { process in
                        try await check(house, ledger)
                        try await loadAndKill(process)
                    }
                }
            }
            try await house.restarted { _ in
                try await check(house, ledger)
                try await checkHandshakes(house, ledger)
            }
        }
    }

    /// Registers cards, changes and deletes them, until the gateway does not answer any more.
    private func changeCards(_ house: House, _ ledger: SoakLedger, _ name: String, _ seed: UInt64) async {
        var random = DeterministicRandom(seed: seed)
        var number = 0
        while true {
            number += 1
            let card = "\(name)_\(number)"
            var titles = ["first"] + (Bool.random(using: &random) ? ["second"] : [])
            if Bool.random(using: &random) { titles.append("") }
            for title in titles {
                let isDeletion = title.isEmpty
                let state: SoakLedger.CardState = isDeletion ? .missing : .titled(title)
                let body = SecretBytes(
                    utf8: """
                        {"binding":{"connection":"increase_demo","provider_card_id":"sandbox_card_\(name)n\(number)",\
                        "last4":"1881","network":"visa"},"cardholder":{"id":"user_1","name":"Ian Crease"},\
                        "title":"\(title)"}
                        """)
                ledger.asking(card, state)
                let answer = try? await house.gateway.client.send(
                    isDeletion ? .delete : .put, "/v1/cards/\(card)", isDeletion ? nil : body)
                guard let answer else { return }
                #expect((200...204).contains(answer.status), "\(answer.problemLine)")
                ledger.acknowledged(card, state)
            }
        }
    }

    /// Sends handshakes until the gateway does not answer any more.
    private func provision(_ house: House, _ ledger: SoakLedger) async throws {
        let phone = try SimulatedPhone(network: house.network)
        while true {
            let order = house.rehearsal.order(try phone.begin(), of: phone)
            let number = ledger.sending(order)
            let answer = try? await house.gateway.client.send(.post, "/v1/cards/card_ok/provisionings", order)
            guard let answer else { return }
            #expect(answer.status == 201, "\(answer.problemLine)")
            ledger.delivered(number, record: answer.json?["id"]?.string ?? "")
        }
    }

    /// Every card reads as it was acknowledged, and every record of a handoff is there.
    private func check(_ house: House, _ ledger: SoakLedger) async throws {
        for (card, states) in ledger.cards {
            let answer = try await house.gateway.client.send(.get, "/v1/cards/\(card)")
            let found: SoakLedger.CardState =
                answer.status == 404 ? .missing : .titled(answer.json?["title"]?.string ?? "")
            #expect(states.contains(found), "\(card) is \(found), not one of \(states)")
            ledger.acknowledged(card, found)
        }
        for attempt in ledger.attempts where attempt.isAnswered {
            let id = try #require(attempt.record)
            let record = try await house.gateway.client.send(.get, "/v1/provisionings/\(id)")
            let status = record.json?["status"]?.string ?? record.problemLine
            #expect(["sending", "unknown", "handed_off", "active"].contains(status), "\(id) is \(status)")
        }
    }

    /// What reached the processor came once, and is spent; what was answered reached it.
    private func checkHandshakes(_ house: House, _ ledger: SoakLedger) async throws {
        let before = try house.pushes().map(nonce)
        #expect(Set(before).count == before.count, "none was sent twice")
        #expect(before.count >= ledger.attempts.count(where: \.isAnswered))
        for attempt in ledger.attempts {
            let sent = Set(try house.pushes().map(nonce)).contains(try nonce(of: attempt.order))
            let again = try await house.gateway.client.send(
                .post, "/v1/cards/card_ok/provisionings", attempt.order)
            if sent { #expect(again.code == "handshake_reused", "\(again.problemLine)") }
            if !sent { #expect(again.status == 201 || again.code == "handshake_reused", "\(again.problemLine)") }
        }
        let after = try house.pushes().map(nonce)
        #expect(Set(after).count == after.count, "nor after the last start")
    }

    private func nonce(_ push: RequestRecord) throws -> String {
        let body = try JSONParser().parse(push.request.body).root
        return try #require(body["apple_pay_in_app"]?["nonce"]?.string)
    }

    private func nonce(of order: SecretBytes) throws -> String {
        let handshake = try JSONParser().parse(order).root["apple_pay"]
        return try #require(handshake?["nonce"]?.string)
    }
}
