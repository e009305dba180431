import ProviderConformance
import ProviderKit
import ProviderTesting
import Provisioning

/// Puts a provider with a fault into any situation.
struct WrongHarness: ProviderHarness {
    let fault: Fault
    /// The situation that the provider takes for another.
    var misread: Situation?

    func absence(of situation: Situation, for operation: Operation) -> String? { nil }

    func exchanges(for operation: Operation) -> Int { 1 }

    func stage(_ situation: Situation, for operation: Operation) async throws -> Stage<WrongProvider> {
        let row = WrongProvider.descriptor.wallets[0]
        let card = CardBinding(connection: "main", providerCardID: "acme_1", last4: "1288", network: .visa)
        let fixture = try AcmeFixtures.fixture(situation, operation)
        let replay = Replay(fixture, situation: situation, success: try AcmeFixtures.fixture(.cardExists, operation))
        return Stage(
            provider: WrongProvider(
                fault, misreads: situation == misread, apiKey: AcmeFixtures.apiKey, kit: .testing(replay)),
            request: SampleRequest.make(for: row, card: card),
            secrets: { SampleRequest.secrets + [AcmeFixtures.apiKey] + fixture.secrets },
            upstreamTexts: { fixture.sentences }, sent: { replay.requests }, complaints: { replay.complaints })
    }
}
