public import ProviderConformance
public import ProviderKit
public import Provisioning

/// Puts a provider into any situation by playing its fixtures back.
///
/// ```swift
/// static let harness = ReplayHarness<IncreaseProvider>(
///     fixtures: FixtureFolder(), card: card, settings: TestSettings([("api_key", "key_invented")]),
///     absent: [.alreadyProvisioned: "Increase has no such answer"])
/// ```
public struct ReplayHarness<Provider: ConfigurableProvider>: ProviderHarness {
    private let fixtures: FixtureFolder
    private let card: CardBinding
    private let settings: TestSettings
    private let cryptography: any AdapterCryptography
    private let absent: [Situation: String]
    private let secrets: [String]
    private let exchangeCount: @Sendable (Operation) -> Int
    private let prepare: @Sendable (inout ProvisioningRequest) -> Void

    /// Makes a harness.
    ///
    /// - Parameters:
    ///   - card: The card that the fixtures speak of.
    ///   - settings: The connection's settings; they must be without problems.
    ///   - absent: The situations that this processor has no words for, and why.
    ///   - secrets: The settings' secrets, as texts.
    ///   - exchangeCount: How many exchanges an operation takes; one unless told.
    ///   - prepare: Adds to a sample request what this provider needs besides.
    public init(
        fixtures: FixtureFolder, card: CardBinding, settings: TestSettings,
        cryptography: any AdapterCryptography = StandInCryptography(), absent: [Situation: String] = [:],
        secrets: [String], exchangeCount: @escaping @Sendable (Operation) -> Int = { _ in 1 },
        prepare: @escaping @Sendable (inout ProvisioningRequest) -> Void = { _ in }
    ) {
        self.fixtures = fixtures
        self.card = card
        self.settings = settings
        self.cryptography = cryptography
        self.absent = absent
        self.secrets = secrets
        self.exchangeCount = exchangeCount
        self.prepare = prepare
    }

    /// The situations that the processor has no words for.
    public func absence(of situation: Situation, for operation: Operation) -> String? { absent[situation] }

    /// How many exchanges the operation takes.
    public func exchanges(for operation: Operation) -> Int { exchangeCount(operation) }

    /// A provider that plays the situation's fixture back.
    public func stage(_ situation: Situation, for operation: Operation) async throws -> Stage<Provider> {
        var request = sample(for: operation)
        prepare(&request)
        guard exchangeCount(operation) > 0 else {
            let transport = ScriptedTransport(answers: [])
            return try stage(request, transport, sent: { transport.requests }, complaints: { [] })
        }
        let success = try fixtures.fixture(operation.group, Situation.cardExists.rawValue)
        let fixture =
            situation.isProcessorsOwn ? try fixtures.fixture(operation.group, situation.rawValue) : success
        let replay = Replay(fixture, situation: situation, success: success)
        return try stage(
            request, replay, secrets: success.secrets, sentences: fixture.sentences, sent: { replay.requests },
            complaints: { replay.complaints })
    }

    /// The fixtures' names.
    var fixtureNames: [String] { fixtures.names }

    /// A provider that plays any fixture of a group back, or of `errors`.
    func stage(playing name: String, for operation: Operation) throws -> (Stage<Provider>, Fixture) {
        var request = sample(for: operation)
        prepare(&request)
        let fixture = try fixtures.fixture(operation.group, name)
        let replay = Replay(fixture)
        let stage = try stage(
            request, replay, sent: { replay.requests }, complaints: { replay.complaints })
        return (stage, fixture)
    }

    private func stage(
        _ request: ProvisioningRequest, _ transport: any UpstreamTransport, secrets more: [String] = [],
        sentences: [String] = [], sent: @escaping @Sendable () -> [UpstreamRequest],
        complaints: @escaping @Sendable () -> [String]
    ) throws -> Stage<Provider> {
        let kit = AdapterKit.testing(transport, cryptography: cryptography)
        guard let provider = Provider(settings: settings.reader(), kit: kit) else {
            throw FixtureFault("the settings are refused: \(settings.problems)")
        }
        let secrets = SampleRequest.secrets + secrets + more
        return Stage(
            provider: provider, request: request, secrets: { secrets }, upstreamTexts: { sentences }, sent: sent,
            complaints: complaints)
    }

    private func sample(for operation: Operation) -> ProvisioningRequest {
        switch operation {
        case .provision(let row): SampleRequest.make(for: row, card: card)
        case .eligibility(let wallet):
            SampleRequest.make(
                for: Provider.descriptor.wallets.first { $0.wallet == wallet } ?? Provider.descriptor.wallets[0],
                card: card)
        }
    }
}
