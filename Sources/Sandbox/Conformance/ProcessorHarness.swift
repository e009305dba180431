import JSON
public import ProviderConformance
public import ProviderKit
public import Provisioning

/// Puts a provider before a real processor's sandbox.
///
/// It stages what can be staged there: cards that the operator names, and settings that the processor does not accept.
/// No device is at hand, and nobody can make the processor fail, so the rest is not run, and says so.
public struct ProcessorHarness<Provider: ConfigurableProvider>: ProviderHarness {
    /// Makes the adapter of the connection over a transport, some settings replaced, written as in ``EmulatedConnection``.
    public typealias MakeProvider =
        @Sendable (_ transport: any UpstreamTransport, _ settings: [(key: String, value: String)]) throws -> Provider

    private let emulator: any Emulator
    private let cards: [Situation: CardBinding]
    private let transport: any UpstreamTransport
    private let makeProvider: MakeProvider

    /// Makes a harness.
    ///
    /// - Parameters:
    ///   - emulator: The processor's emulator, which knows how situations are staged.
    ///   - cards: The cards at the processor that are in a situation by themselves.
    ///   - transport: Carries the requests.
    public init(
        emulator: any Emulator, cards: [Situation: CardBinding], transport: any UpstreamTransport,
        makeProvider: @escaping MakeProvider
    ) {
        self.emulator = emulator
        self.cards = cards
        self.transport = transport
        self.makeProvider = makeProvider
    }

    /// Why a situation cannot be had from a real processor.
    public func absence(of situation: Situation, for operation: Operation) -> String? {
        if case .provision(let row) = operation, row.handshake != .none { return "it needs a device" }
        if cards[situation] != nil || !settings(for: situation, operation).isEmpty && cards[.cardExists] != nil {
            return nil
        }
        return switch situation {
        case .cardExists, .enumValuesUnheardOf, .cardMissing, .permissionDenied, .notEnabled, .alreadyProvisioned,
            .cardIneligible:
            "no card was named for it; --card \(situation.rawValue)=ID names one"
        default: "nobody can bring it about at a real processor; run it against the emulator"
        }
    }

    /// How many requests the operation takes.
    public func exchanges(for operation: Operation) -> Int { emulator.exchanges(for: operation) }

    /// A provider before the processor.
    public func stage(_ situation: Situation, for operation: Operation) async throws -> Stage<Provider> {
        guard let row = operation.row(of: Provider.descriptor) else {
            throw LaboratoryFailure("\(operation) is none of \(emulator.displayName)'s operations")
        }
        let courier = Courier(transport, in: situation)
        let provider = try makeProvider(courier, settings(for: situation, operation))
        // Of a request that must not be sent, the card need not exist.
        let card = cards[situation] ?? cards[.cardExists] ?? emulator.demoCard.binding
        let request = SampleRequest.make(for: row, card: card)
        return Stage(
            provider: provider, request: request,
            secrets: { request.handshake.secretTexts + courier.credentials },
            upstreamTexts: { courier.sentences }, sent: { courier.requests })
    }

    /// The settings that alone bring the situation about; none where that is not how.
    private func settings(for situation: Situation, _ operation: Operation) -> [(key: String, value: String)] {
        guard cards[situation] == nil, let staging = emulator.staging(of: situation, for: operation),
            staging.fault == nil
        else { return [] }
        return staging.settings
    }
}
