import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Storage
import Synchronization
import Testing

/// A program that moves from one processor to another under load, at two processes on one store.
@Suite(.serialized)
struct SwitchEndToEndTests {
    private static let cards = 16

    /// How far the cohort had come for certain, and how far it may have come, in basis points.
    private final class Progress: Sendable {
        private let state = Mutex((certain: 0, possible: 0))

        var certain: Int { state.withLock { $0.certain } }
        var possible: Int { state.withLock { $0.possible } }

        func begin(_ basisPoints: Int) { state.withLock { $0.possible = basisPoints } }
        func end(_ basisPoints: Int) { state.withLock { $0.certain = basisPoints } }
    }

    private struct Attempt: Sendable {
        let card: Int
        let answer: GatewayAnswer
        let from: Int
        let to: Int
    }

    private func register(_ house: House) async throws {
        for number in 0..<Self.cards {
            let rehearsal = Rehearsal(gateway: house.gateway.client, cardholderID: "user_\(number)")
            let card = EmulatedCard(id: "sandbox_card_ok\(number)", last4: "1881", network: .visa)
            let made = try await rehearsal.register("card_\(number)", as: card, at: "increase_demo")
            #expect(made.status == 201, "\(made.problemLine)")
            let id = "0CA4D000-0000-4000-8000-0000000000" + (number < 10 ? "0\(number)" : "\(number)")
            let bound = try await house.gateway.client.send(
                .put, "/v1/cards/card_\(number)/bindings/imprint_demo",
                SecretBytes(
                    utf8: #"{"provider_card_id":"\#(id)","last4":"0042","network":"visa","state":"standby"}"#))
            #expect(bound.status == 201, "\(bound.problemLine)")
        }
    }

    private func attempt(_ card: Int, at gateway: GatewayClient, _ house: House, _ progress: Progress) async throws
        -> Attempt
    {
        let phone = try SimulatedPhone(network: house.network)
        let rehearsal = Rehearsal(gateway: gateway, cardholderID: "user_\(card)")
        let handshake = try phone.begin()
        let from = progress.certain
        let answer = try await rehearsal.provision("card_\(card)", with: handshake, of: phone)
        return Attempt(card: card, answer: answer, from: from, to: progress.possible)
    }

    /// How many provisioning calls reached either processor.
    private func provisions(_ house: House) -> Int {
        let paths = ["increase", "imprint"].flatMap { house.sandbox.requests(to: $0) }.map(\.request.path)
        return paths.count { $0.hasSuffix("/push_provision") || $0.contains("/provision/") }
    }

    private func send(_ path: String, _ body: String, to gateway: GatewayClient) async throws -> GatewayAnswer {
        try await gateway.send(.post, "/v1/migrations\(path)", SecretBytes(utf8: body))
    }

    private static func connection(_ basisPoints: Int, _ id: String, _ card: Int) -> String {
        let isIn = CardRouting.isIn(basisPoints: basisPoints, migration: id, cardholder: "user_\(card)")
        return isIn ? "imprint_demo" : "increase_demo"
    }

    @Test func everyAttemptGoesWhereTheCohortSaysAtBothProcesses() async throws {
        let limits = "limits: { provisionings_per_card_per_minute: 100000 }"
        try await House.with(adjusting: { $0.additions = limits }) { house in
            try await register(house)
            try await house.besideAnother { other in
                let gateways = [house.gateway.client, other.client]
                let opened = try await send(
                    "",
                    #"{"program":"demo","from":"increase_demo","to":"imprint_demo","mode":"live","#
                        + #""cohort":{"percent":0},"allow_stranded":true}"#, to: gateways[0])
                let id = try #require(opened.json?["id"]?.string, "\(opened.problemLine)")
                let progress = Progress()
                let attempts = try await withThrowingTaskGroup(of: [Attempt].self) { group in
                    let over = Word()
                    for worker in 0..<6 {
                        group.addTask {
                            var attempts: [Attempt] = []
                            var card = worker
                            while !over.isSet {
                                attempts.append(
                                    try await attempt(card % Self.cards, at: gateways[worker % 2], house, progress))
                                card += 5
                            }
                            return attempts
                        }
                    }
                    for (step, percent) in [10, 35, 60, 100].enumerated() {
                        try await house.wait { provisions(house) >= 20 * (step + 1) }
                        progress.begin(percent * 100)
                        let grown = try await send(
                            "/\(id)/advance", #"{"cohort":{"percent":\#(percent)}}"#, to: gateways[step % 2])
                        #expect(grown.status == 200, "\(grown.problemLine)")
                        progress.end(percent * 100)
                    }
                    try await house.wait { provisions(house) >= 110 }
                    over.set()
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                for attempt in attempts {
                    #expect(attempt.answer.status == 201, "\(attempt.answer.problemLine)")
                    let possible = [attempt.from, attempt.to].map { Self.connection($0, id, attempt.card) }
                    #expect(possible.contains(attempt.answer.json?["connection"]?.string ?? ""))
                }
                #expect(provisions(house) == attempts.count, "none was lost, and none doubled")
                let ids = Set(attempts.compactMap { $0.answer.json?["id"]?.string })
                #expect(ids.count == attempts.count)

                // One step back, and both processes are back.
                let back = try await send("/\(id)/rollback", "{}", to: gateways[1])
                #expect(back.status == 200)
                progress.begin(0)
                progress.end(0)
                for card in 0..<Self.cards {
                    let after = try await attempt(card, at: gateways[card % 2], house, progress)
                    #expect(after.answer.json?["connection"]?.string == "increase_demo", "\(after.answer.problemLine)")
                }
            }
        }
    }

    @Test func aCompletedMigrationLeavesTheOldBindingRetired() async throws {
        try await House.with { house in
            try await register(house)
            let client = house.gateway.client
            let opened = try await send(
                "",
                #"{"program":"demo","from":"increase_demo","to":"imprint_demo","mode":"live","#
                    + #""cohort":{"percent":100},"allow_stranded":true}"#, to: client)
            let id = try #require(opened.json?["id"]?.string, "\(opened.problemLine)")
            let done = try await send("/\(id)/complete", "{}", to: client)
            #expect(done.json?["status"]?.string == "completed" && done.json?["settled_at"]?.string != nil)
            let card = try await client.send(.get, "/v1/cards/card_0")
            #expect(card.json?["serving"]?.string == "imprint_demo")
            #expect(card.json?["bindings"]?.elements?.map { $0["state"]?.string } == ["retired", "active"])
            let again = try await Rehearsal(gateway: client, cardholderID: "user_0").register(
                "card_0", as: EmulatedCard(id: "sandbox_card_ok0", last4: "1881", network: .visa), at: "increase_demo")
            #expect(again.status == 200 && again.json?["serving"]?.string == "imprint_demo")
        }
    }
}

/// A word to all workers.
private final class Word: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
