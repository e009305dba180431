import ProviderConformance

/// A harness that can bring nothing about, as before a processor that nobody has an account at.
struct BareHarness: ProviderHarness {
    func absence(of situation: Situation, for operation: Operation) -> String? { "nothing can be staged" }

    func exchanges(for operation: Operation) -> Int { 1 }

    func stage(_ situation: Situation, for operation: Operation) async throws -> Stage<WrongProvider> {
        try await WrongHarness(fault: .none).stage(situation, for: operation)
    }
}
