import ProviderKit
import Sandbox
import Testing

/// What processors advise on a repeat, and how many repeats a connection bears, counted at the processor.
@Suite(.serialized)
struct RetryAdviceEndToEndTests {
    /// Every call of a provisioning that there is.
    private static let calls = MatrixCall.all.filter { $0.isProvisioning && $0.callsUpstream }

    @Test func everyCallIsRepeatedAsAdvised() async throws {
        let network = SimulatedNetwork()
        let places = RetryAdvice.all.flatMap { advice in Self.calls.map { (advice, $0) } }
        let cells = try places.enumerated().map { number, place in
            let cell = try MatrixCell(
                place.1, meeting: .none, answering: { place.0.answer }, isWarm: false, number: number, network: network)
            return (place.0, try #require(cell))
        }
        defer { for (_, cell) in cells { cell.stop() } }
        try await InProcessGateway.with(cells.map(\.1.connection)) { house in
            try await withThrowingTaskGroup { group in
                for (advice, cell) in cells {
                    group.addTask { try await check(advice, cell, through: house.client) }
                }
                try await group.waitForAll()
            }
        }
    }

    private func check(_ advice: RetryAdvice, _ cell: MatrixCell, through client: GatewayClient) async throws {
        let place = "\(cell.call.provider), \(cell.call.name): \(advice.name)"
        let attempt = try await cell.provision(through: client)
        #expect(attempt.calls.count == advice.calls(of: cell.call), "\(place)")
        #expect(Set(attempt.calls.map(\.idempotencyKey)).count == 1, "\(place)")
        let told = attempt.answer.json?["retry_after"]?.integer.map { Int($0) }
        #expect(advice.told.map { told.map($0.contains) ?? false } ?? (told == nil), "\(place): \(told ?? -1)")
        let header = attempt.answer.headers.first { $0.name == "retry-after" }?.value
        #expect(header == told.map { String($0) }, "\(place)")
        if attempt.calls.count == 2, let wait = advice.wait {
            #expect(attempt.calls[1].at - attempt.calls[0].at >= wait, "\(place)")
        }
    }

    @Test("E08: extra calls stay within a tenth of a connection's attempts and ten, each connection's for itself")
    func extraCallsStayWithinTheBudget() async throws {
        let network = SimulatedNetwork()
        let stripe = try #require(Self.calls.first { $0.provider == "stripe" })
        // A refusal that may heal, and that does not open the circuit breaker.
        let busy = RawAnswer(429, "{}")
        let cells = try (0..<2).map { number in
            try #require(
                try MatrixCell(
                    stripe, meeting: .none, answering: { busy }, isWarm: false, number: number, network: network))
        }
        defer { for cell in cells { cell.stop() } }
        try await InProcessGateway.with(
            cells.map(\.connection),
            adjusting: { $0.additions = "limits: { provisionings_per_card_per_minute: 100000 }" }
        ) { house in
            let first = try await cells[0].provision(through: house.client)
            var calls = first.calls.count
            for _ in 1..<100 {
                let answer = try await first.again()
                #expect(answer.code == "provider_rate_limited", "\(answer.problemLine)")
                calls = cells[0].calls.count
            }
            #expect(calls == 100 + 100 / 10 + 10)
            // Another connection has a budget of its own.
            #expect(try await cells[1].provision(through: house.client).calls.count == 2)
        }
    }
}
