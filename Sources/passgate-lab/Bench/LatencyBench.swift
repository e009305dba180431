import ProviderKit
import Sandbox
import SecretMemory

/// Adds cards to Apple Pay by turns at the processor and through the gateway. Every card and every device is a new one,
/// as in life; what is done to get them is not counted.
struct LatencyBench {
    /// Pairs before the first that counts: connections are made, and caches filled.
    static let warmUp = 20

    let direct: DirectCall
    let gateway: GatewayClient
    let connection: String
    let emulator: any Emulator
    let device: any SimulatedDevice
    /// Whether the gateway's cards are removed again.
    let removesCards: Bool

    /// Measures until the time is over, the task is cancelled, or something goes wrong.
    func run(for time: Duration) async -> BenchReport {
        var report = BenchReport()
        do {
            // Numbers of cards that no run before has used.
            var number = Int.random(in: 0..<1_000_000_000) * 1_000_000
            for _ in 0..<Self.warmUp { _ = try await pair(next(&number), next(&number)) }
            let end = ContinuousClock.now + time
            while ContinuousClock.now < end, !Task.isCancelled {
                let (direct, throughGateway) = try await pair(next(&number), next(&number))
                report.add(direct: direct, throughGateway: throughGateway)
            }
        } catch let failure as LaboratoryFailure {
            report.failure = failure.description
        } catch let failure as TransportFailure {
            report.failure = "the gateway gave no answer: \(failure.cause.rawValue)"
        } catch {
            report.failure = "\(error)"
        }
        return report
    }

    private func next(_ number: inout Int) throws(LaboratoryFailure) -> (id: String, card: EmulatedCard) {
        number += 1
        guard let card = emulator.card(numbered: number) else {
            throw LaboratoryFailure("\(emulator.displayName) has no cards for this")
        }
        return ("bench_\(number)", card)
    }

    private func pair(_ one: (id: String, card: EmulatedCard), _ other: (id: String, card: EmulatedCard))
        async throws -> (direct: Duration, throughGateway: Duration)
    {
        let rehearsal = Rehearsal(gateway: gateway, cardholderID: "bench_user")
        let registered = try await rehearsal.register(other.id, as: other.card, at: connection)
        guard registered.status == 201 else {
            throw LaboratoryFailure("a card was not registered: \(registered.problemLine)")
        }
        let attempt = try device.begin()
        let direct = try await direct.time(for: one.card)
        let answer = try await rehearsal.provision(other.id, with: attempt, of: device)
        if removesCards { _ = try await gateway.send(.delete, "/v1/cards/\(other.id)") }
        guard answer.status == 201 else {
            throw LaboratoryFailure("a card was not added: \(answer.problemLine)")
        }
        return (direct, answer.elapsed)
    }
}
