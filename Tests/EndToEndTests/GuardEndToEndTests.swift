import EventLoop
import HTTPClient
import IncreaseEmulator
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Storage
import StripeEmulator
import Synchronization
import Testing

@testable import Gateway

/// A migration over real sockets whose new side fails one attempt of ten.
@Suite(.serialized)
struct GuardEndToEndTests {
    /// The time, with as much added as a test wants.
    private final class AdvancedClock: WallClock {
        private let added = Mutex<Int64>(0)

        var now: Timestamp { SandboxClock().now.adding(milliseconds: added.withLock { $0 }) }

        func advance(milliseconds: Int64) { added.withLock { $0 += milliseconds } }
    }

    /// Runs the test with a gateway between Stripe's emulator and Increase's.
    private func with(_ body: (InProcessGateway, Sandbox, SimulatedNetwork, AdvancedClock) async throws -> Void)
        async throws
    {
        let group = EventLoopGroup(count: 1)
        let client = HTTPClient(loops: group.loops)
        let network = SimulatedNetwork()
        let server = try SandboxServer(
            Sandbox(
                emulators: [
                    StripeEmulator(json: JSONParser(), network: network),
                    IncreaseEmulator(json: JSONParser(), network: network),
                ], json: JSONParser(), courier: client.transport(TransportOptions())), on: group.loops)
        let clock = AdvancedClock()
        do {
            try await InProcessGateway.with(server.connections, clock: clock) { house in
                try await body(house, server.sandbox, network, clock)
            }
        } catch {
            await server.stop()
            client.close()
            group.stop()
            throw error
        }
        await server.stop()
        client.close()
        group.stop()
    }

    @Test func aSideThatFailsOneOfTenIsRolledBackAndTheReportSaysSo() async throws {
        try await with { house, sandbox, network, clock in
            let store = house.gateway.store
            let program = try #require(house.gateway.directory.programs.keys.first)
            let migration = StoredMigration(
                id: "mig_1", program: program, from: "stripe_demo", to: "increase_demo", mode: .live,
                cohort: .percent(basisPoints: 5000),
                guard: StoredMigration.Guard(minAttempts: 50, margin: 0.03, action: .rollback), at: clock.now)
            _ = try await store.open(migration, listing: [], audit: AuditActor(name: "test"))
            let rehearsal = Rehearsal(gateway: house.client, cardholderID: "user_1", clock: clock)
            let phone = SimulatedAndroidPhone(network: network)
            let sdk = try #require(sandbox.emulator(named: "stripe")?.sdk)
            var failed = 0
            for number in 0..<200 {
                let old = EmulatedCard(id: "ic_ok\(number)", last4: "4242", network: .visa)
                #expect(try await rehearsal.register("old_\(number)", as: old, at: "stripe_demo").status == 201)
                let served = try await rehearsal.provision("old_\(number)", with: phone.begin(), of: phone, sdk: sdk)
                #expect(served.status == 201, "\(served.problemLine)")
                let new = EmulatedCard(id: "sandbox_card_ok\(number)", last4: "1881", network: .visa)
                #expect(try await rehearsal.register("new_\(number)", as: new, at: "increase_demo").status == 201)
                if number.isMultiple(of: 10) {
                    var fault = ScriptedFault()
                    fault.status = 422
                    sandbox.script(fault, for: "increase")
                }
                let answer = try await rehearsal.provision("new_\(number)", with: phone.begin(), of: phone)
                if answer.status != 201 { failed += 1 }
            }
            #expect(failed == 20)
            #expect(await house.gateway.guardDue() == 0)
            clock.advance(milliseconds: GuardWatch.intervalMilliseconds)
            #expect(await house.gateway.guardDue() == 1)
            let now = try #require(try await store.migration("mig_1", program: program))
            #expect(now.status == .rolledBack, "\(now.why ?? "it goes on")")
            let events = try await house.client.send(.get, "/v1/events?type=migration.rolled_back")
            let data = try #require(events.json?["data"]?.elements?.first?["data"], "\(events.problemLine)")
            #expect(data["to_failed"]?.string == "20" && data["to_observed"]?.string == "200")
            #expect(data["from_failed"]?.string == "0" && data["stage"]?.string == "handoff")
            // The report's numbers are those of the calls that the processors got.
            let report = try await house.client.send(.get, "/v1/migrations/mig_1/report")
            let calls = sandbox.requests(to: "increase").filter { $0.request.path.hasSuffix("/push_provision") }
            let to = try #require(report.json?["to"], "\(report.problemLine)")
            #expect(to["attempts"]?.integer == calls.count && to["handed_off"]?.integer == calls.count - failed)
            #expect(to["top_codes"]?.elements?.first?["count"]?.integer == failed)
            let keys = sandbox.requests(to: "stripe").filter { $0.request.path == "/v1/ephemeral_keys" }
            #expect(report.json?["from"]?["handed_off"]?.integer == keys.count)
            #expect(report.json?["guard"]?["state"]?.string == "tripped")
            #expect(to["latency_ms"]?["sample"]?.integer == 200)
        }
    }
}
