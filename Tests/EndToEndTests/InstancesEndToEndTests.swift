import Foundation
import PostgreSQLServer
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Synchronization
import Testing

/// Two gateways on one PostgreSQL database that are not as one would wish: restarted under load, with clocks that differ.
@Suite(.serialized)
struct InstancesEndToEndTests {
    private func with(
        storeURL: SecretText? = nil, other: URL? = nil, _ body: (House, LaboratoryGateway) async throws -> Void
    ) async throws {
        var url = storeURL
        if url == nil { url = try await PostgreSQLServer.shared.makeSchema() }
        try await House.with(adjusting: { [url] in
            $0.additions = "limits: { provisionings_per_card_per_minute: 100000 }"
            $0.storeURL = url
        }) { house in
            try await house.besideAnother(command: other) { try await body(house, $0) }
        }
    }

    // MARK: Load

    /// Callers as a balancer before two gateways serves them: whoever got no answer, or is told that nothing was sent, asks
    /// the other one under the same key.
    private final class Load: Sendable {
        private struct State {
            var isOver = false
            var served: [String: Int] = [:]
            var unanswered = 0
            var overloaded = 0
            var faults: [String] = []
        }

        private let state = Mutex(State())

        var isOver: Bool { state.withLock { $0.isOver } }
        var count: Int { state.withLock { $0.served.count } }
        var served: [String: Int] { state.withLock { $0.served } }
        var faults: [String] { state.withLock { $0.faults } }
        /// Orders whose gateway was gone before it answered: they are spent.
        var unanswered: Int { state.withLock { $0.unanswered } }
        /// Answers that told of a store that is away.
        var overloaded: Int { state.withLock { $0.overloaded } }

        func end() { state.withLock { $0.isOver = true } }

        /// Sends one order until it is answered for good.
        func send(_ order: SecretBytes, key: String, to gateways: [GatewayClient]) async {
            let patience = ContinuousClock.now + .seconds(30)
            var isBroken = false
            for gateway in (0...).lazy.map({ gateways[$0 % gateways.count] }) {
                guard ContinuousClock.now < patience else { return note("\(key): nobody served it") }
                let answer: GatewayAnswer
                do {
                    answer = try await gateway.send(
                        .post, "/v1/cards/card_1/provisionings", order,
                        headers: [.init("Idempotency-Key", key), .init("Passgate-Deadline", "3000")])
                } catch {
                    isBroken = true
                    continue
                }
                switch (answer.status, answer.code) {
                case (201, _):
                    guard let id = answer.json?["id"]?.string else { return note("\(key): no id") }
                    return state.withLock { $0.served[id, default: 0] += 1 }
                case (409, "idempotency_key_in_use"): continue
                case (503, "overloaded"):
                    isBroken = true
                    state.withLock { $0.overloaded += 1 }
                    try? await Task.sleep(for: .milliseconds(20))
                case (409, "handshake_reused") where isBroken, (409, "handoff_already_delivered") where isBroken:
                    return state.withLock { $0.unanswered += 1 }
                default: return note("\(key): \(answer.problemLine)")
                }
            }
        }

        private func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }
    }

    /// Runs `body` while callers order from both gateways. It is given a function that waits until so many more orders have
    /// been served.
    private func underLoad(
        _ house: House, _ other: LaboratoryGateway, _ load: Load,
        _ body: ((Int) async throws -> Void, _ end: () async throws -> Void) async throws -> Void
    ) async throws {
        try await house.register("card_1")
        let clients = [house.gateway.client, other.client]
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    let phone = try SimulatedPhone(network: house.network)
                    var number = 0
                    while !load.isOver, !Task.isCancelled {
                        number += 1
                        let order = house.rehearsal.order(try phone.begin(), of: phone)
                        let first = (worker + number) % 2
                        await load.send(order, key: "\(worker)-\(number)", to: [clients[first], clients[1 - first]])
                    }
                }
            }
            try await body { count in
                let goal = load.count + count
                try await house.wait { load.count >= goal }
            } _: {
                load.end()
                try await group.waitForAll()
            }
        }
    }

    /// How often a provisioning reached the processor.
    private func pushes(_ house: House) -> Int {
        house.sandbox.requests(to: "increase").count { $0.request.path.hasSuffix("/push_provision") }
    }

    /// Every attempt's status by its id.
    private func records(at gateway: LaboratoryGateway) async throws -> [String: String] {
        var records: [String: String] = [:]
        var cursor: String?
        repeat {
            let path = "/v1/provisionings?limit=100" + (cursor.map { "&cursor=\($0)" } ?? "")
            let page = try await gateway.client.send(.get, path)
            for record in try #require(page.json?["data"]?.elements, "\(page.problemLine)") {
                guard let id = record["id"]?.string else { continue }
                records[id] = record["status"]?.string
            }
            cursor = page.json?["next_cursor"]?.string
        } while cursor != nil
        return records
    }

    // MARK: Restarts, kills and outages

    @Test func aRollingRestartUnderLoadLosesNothing() async throws {
        try await with { house, other in
            let load = Load()
            try await underLoad(house, other, load) { passes, end in
                func drain(_ gateway: LaboratoryGateway) async throws {
                    gateway.process.drain()
                    #expect(await gateway.process.exit(within: .seconds(20)) == 0)
                    try await passes(20)
                }
                try await passes(20)
                try await drain(house.gateway)
                try await house.restarted { _ in
                    try await passes(20)
                    try await drain(other)
                    try await house.restarted(other) { _ in
                        try await passes(20)
                        try await end()
                        let records = try await records(at: other)
                        #expect(Set(load.served.keys) == Set(records.keys))
                    }
                }
            }
            #expect(load.faults == [])
            #expect(load.unanswered == 0)
            #expect(load.served.values.allSatisfy { $0 == 1 })
            #expect(pushes(house) == load.count, "each was sent once")
        }
    }

    /// One gateway is killed, and later the database crashes: what was answered is there, and no order reached the
    /// processor twice.
    @Test func aKilledGatewayAndACrashedDatabaseLoseNothingThatWasAnswered() async throws {
        let server = try await PostgreSQLServer()
        try await with(storeURL: server.networkURL()) { house, other in
            let load = Load()
            try await underLoad(house, other, load) { passes, end in
                try await passes(20)
                other.process.signal(SIGKILL)
                #expect(await other.process.exit(within: .seconds(10)) == -SIGKILL)
                try await passes(20)
                // What it had answered and not yet noted is there, and reads as if nobody knew what became of it.
                let before = Set(load.served.keys)
                try await house.restarted(other) { _ in
                    try await passes(20)
                    try await server.crash()
                    let seen = load.overloaded
                    try await house.wait { load.overloaded >= seen + 20 }
                    try await server.start()
                    try await passes(60)
                    try await end()
                    let handedOff: Set = ["handed_off", "added", "requested", "verification_required", "active"]
                    var records: [String: String] = [:]
                    try await house.wait {
                        records = try await self.records(at: other)
                        return !load.served.keys.contains { records[$0] == "sending" && !before.contains($0) }
                    }
                    for id in load.served.keys {
                        let status = records[id] ?? "lost"
                        let isKept = before.contains(id) && ["sending", "unknown"].contains(status)
                        #expect(handedOff.contains(status) || isKept, "\(id): \(status)")
                    }
                    #expect(pushes(house) <= records.count, "nothing was sent without a record")
                }
            }
            #expect(load.faults == [])
            #expect(load.served.values.allSatisfy { $0 == 1 })
            #expect((load.count...load.count + load.unanswered).contains(pushes(house)), "each was sent once at most")
        }
    }

    // MARK: Clocks

    /// One gateway's clock is a minute and a half ahead. It says so, dates by the database's clock, and does not give up
    /// what the other one has just begun.
    @Test func aClockThatDiffersIsReportedAndHarmsNothing() async throws {
        let skewed = try SkewedCommand(ahead: 90_000)
        try await with(other: skewed.url) { house, other in
            try await house.register("card_1")
            try await house.wait { other.process.output.contains("clock_differs") }
            let line = try #require(
                other.process.output.split(separator: "\n").first { $0.contains("clock_differs") })
            let ahead = try #require(
                line.firstMatch(of: /"ahead_ms":(\d+)/).flatMap { Int($0.output.1) }, "\(line)")
            #expect((88_000...92_000).contains(ahead))
            #expect(!house.gateway.process.output.contains("clock_differs"))

            // Longer than between two looks for attempts whose deadline is past.
            var fault = ScriptedFault()
            fault.pathSuffix = "/push_provision"
            fault.delay = .seconds(7)
            house.sandbox.script(fault, for: "increase")
            let phone = try SimulatedPhone(network: house.network)
            let slow = try await house.rehearsal.provision("card_1", with: phone.begin(), of: phone)
            #expect(slow.status == 201, "\(slow.problemLine)")
            let id = try #require(slow.json?["id"]?.string)
            // What ends an attempt is written soon after its answer.
            try await house.wait {
                let record = try await other.client.send(.get, "/v1/provisionings/\(id)")
                return record.json?["status"]?.string != "sending"
            }
            let timeline = try await other.client.send(.get, "/v1/provisionings/\(id)/timeline")
            let steps = try #require(timeline.json?["data"]?.elements).compactMap { $0["step"]?.string }
            #expect(steps.contains("sent") && !steps.contains("unknown"), "\(steps)")

            // The gateway with the wrong clock takes a fresh authentication for a fresh one, and dates what it does right.
            let rehearsal = Rehearsal(gateway: other.client, cardholderID: "user_1")
            let before = SandboxClock().now
            let attempt = try phone.begin()
            let served = try await rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(served.status == 201, "\(served.problemLine)")
            let text = try #require(served.json?["created_at"]?.string)
            let created = try #require(Timestamp(rfc3339: text))
            #expect(abs(created.milliseconds - before.milliseconds) < 5000, "\(text)")
            let again = try await house.rehearsal.provision("card_1", with: attempt, of: phone)
            #expect(again.code == "handshake_reused", "\(again.problemLine)")
        }
    }
}
