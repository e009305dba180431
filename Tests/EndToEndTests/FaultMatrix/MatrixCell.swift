import ProviderConformance
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

/// One call that meets one fault, on a connection that was never used or on one that was: with a processor and a
/// connection of its own, so that no cell knows of another.
struct MatrixCell: Sendable {
    let call: MatrixCall
    let fault: MatrixFault
    let isWarm: Bool
    /// The connection's name, and that of its card.
    let name: String
    let network: SimulatedNetwork
    private let emulator: any Emulator
    private let staging: Staging?
    private let given: (@Sendable () -> RawAnswer)?
    private let processor: FaultyUpstream
    /// Where Checkout.com gives access tokens, apart from its other calls.
    private let access: FaultyUpstream

    /// Nil where the processor has no words for the fault.
    ///
    /// - Parameter given: What the call is answered, where it meets no fault.
    init?(
        _ call: MatrixCall, meeting fault: MatrixFault, answering given: (@Sendable () -> RawAnswer)? = nil,
        isWarm: Bool, number: Int, network: SimulatedNetwork
    ) throws {
        guard let emulator = MatrixCall.emulators(network: network).first(where: { $0.name == call.emulator }) else {
            return nil
        }
        if let situation = fault.situation {
            guard call.callsUpstream, call.use != .accessToken,
                let staging = emulator.staging(of: situation, for: call.operation), staging.settings.isEmpty
            else { return nil }
            self.staging = staging
        } else {
            staging = nil
        }
        self.call = call
        self.fault = fault
        if let answer = staging?.answer { self.given = { answer } } else { self.given = given }
        self.isWarm = isWarm
        self.network = network
        self.emulator = emulator
        name = "cell_\(number)"
        processor = try FaultyUpstream(emulator)
        access = try FaultyUpstream(emulator)
    }

    /// The connection that leads to the cell's processor.
    var connection: (name: String, connection: EmulatedConnection) {
        let connection = emulator.connection(at: processor.url)
        let settings = connection.settings.map { setting in
            setting.key == "access_url" ? (setting.key, "\"\(access.url)/connect/token\"") : setting
        }
        return (name, EmulatedConnection(settings: settings, files: connection.files))
    }

    /// The calls that the processor has seen since the fault came up.
    var calls: [FaultyUpstream.Call] { processor.calls }

    /// Ends the cell's processor.
    func stop() {
        processor.stop()
        access.stop()
    }

    /// Makes the call through the gateway, and says what came of it.
    func run(through client: GatewayClient) async throws -> MatrixRow {
        let rehearsal = Rehearsal(gateway: client, cardholderID: "user_1")
        return switch call.use {
        case .provision: try await provision(rehearsal)
        case .readCard, .accessToken: try await bind(rehearsal)
        }
    }

    /// A provisioning that has met the fault.
    struct Attempt: Sendable {
        let answer: GatewayAnswer
        /// What the processor saw of it.
        let calls: [FaultyUpstream.Call]
        /// Sends the same request once more.
        let again: @Sendable () async throws -> GatewayAnswer
    }

    /// Provisions through the gateway.
    func provision(through client: GatewayClient, headers: [UpstreamRequest.Header] = []) async throws -> Attempt {
        let rehearsal = Rehearsal(gateway: client, cardholderID: "user_1", clock: StoppedClock())
        let card = staging?.card ?? emulator.demoCard
        let sdk = emulator.sdk
        if isWarm {
            try await register("warm_\(name)", as: emulator.demoCard, rehearsal)
            let device = try call.device(network: network)
            let warm = try await rehearsal.provision("warm_\(name)", with: device.begin(), of: device, sdk: sdk)
            guard warm.status == 201 else { throw LaboratoryFailure("\(self) does not warm up: \(warm.problemLine)") }
        }
        let id = isWarm && card == emulator.demoCard ? "warm_\(name)" : name
        if id == name { try await register(id, as: card, rehearsal) }
        let device = try call.device(network: network)
        let attempt = try device.begin()
        arm(processor)
        let answer = try await rehearsal.provision(id, with: attempt, of: device, sdk: sdk, headers: headers)
        return Attempt(answer: answer, calls: processor.calls) {
            try await rehearsal.provision(id, with: attempt, of: device, sdk: sdk, headers: headers)
        }
    }

    private func provision(_ rehearsal: Rehearsal) async throws -> MatrixRow {
        let attempt = try await provision(
            through: rehearsal.gateway, headers: fault == .stalled ? [.init("Passgate-Deadline", "3000")] : [])
        let answer = attempt.answer
        try check(answer, attempt.calls)
        let record = try #require(answer.json?[answer.status == 201 ? "id" : "provisioning"]?.string)
        let status = try await rehearsal.gateway.send(.get, "/v1/provisionings/\(record)").json?["status"]?.string
        let timeline = try await rehearsal.gateway.send(.get, "/v1/provisionings/\(record)/timeline")
        let steps = (timeline.json?["data"]?.elements ?? []).compactMap { $0["step"]?.string }
        var row = row(answer, calls: attempt.calls.count, record: status ?? "?")
        row.tries = steps.count { $0 == "sent" || $0 == "not_sent" }
        if call.spendsHandshake { row.isSpent = try await attempt.again().code == "handshake_reused" }
        return row
    }

    private func bind(_ rehearsal: Rehearsal) async throws -> MatrixRow {
        let card = staging?.card ?? card(after: emulator.demoCard)
        if isWarm { try await register("warm_\(name)", as: emulator.demoCard, rehearsal) }
        if call.use == .accessToken {
            // Only a token that is refused is asked for anew.
            if isWarm { processor.arm(.status401, for: 1) }
            arm(access)
        } else {
            arm(processor)
        }
        let answer = try await rehearsal.register(name, as: card, at: name)
        let calls = call.use == .accessToken ? access.calls : processor.calls
        try check(answer, calls)
        let isKept = try await rehearsal.gateway.send(.get, "/v1/cards/\(name)").status == 200
        return row(answer, calls: calls.count, record: isKept ? "kept" : "not kept")
    }

    /// What holds in every cell, whatever the fault.
    private func check(_ answer: GatewayAnswer, _ calls: [FaultyUpstream.Call]) throws {
        let text = answer.body.revealText() ?? ""
        #expect(!text.contains(MatrixFault.canary) && !text.contains("<h1>"), "\(self) tells what upstream said")
        #expect(Set(calls.map(\.idempotencyKey)).count <= 1, "\(self) repeats under another key")
        guard answer.status >= 300 else { return }
        let provider = answer.json?["provider"]
        if !call.isProvisioning, answer.code == "provider_card_not_found" {
            // A card that there is not looks like somebody else's.
            #expect(provider == nil, "\(self)")
            return
        }
        #expect(provider?["id"]?.string == call.provider && provider?["connection"]?.string == name, "\(self)")
        if case .answered(let status) = fault.happening {
            #expect(provider?["status"]?.integer == Int(status), "\(self) reports another status")
        }
    }

    private func row(_ answer: GatewayAnswer, calls: Int, record: String) -> MatrixRow {
        let problem = answer.status >= 300 ? answer.json : nil
        return MatrixRow(
            status: answer.status, code: problem?["code"]?.string, retry: problem?["retry"]?.string,
            outcome: problem?["outcome"]?.string, calls: calls, tries: nil, record: record, isSpent: nil)
    }

    private func arm(_ processor: FaultyUpstream) { processor.arm(fault, answering: given) }

    private func register(_ id: String, as card: EmulatedCard, _ rehearsal: Rehearsal) async throws {
        let answer = try await rehearsal.register(id, as: card, at: name)
        guard answer.status == 201 else { throw LaboratoryFailure("\(self) has no card: \(answer.problemLine)") }
    }

    /// Another card of the same cardholder, for a connection where the first one is bound.
    private func card(after card: EmulatedCard) -> EmulatedCard {
        EmulatedCard(
            id: String(card.id.dropLast()) + "7", cardholderID: card.cardholderID, last4: card.last4,
            network: card.network)
    }
}

extension MatrixCell: CustomStringConvertible {
    /// Where it stands in the matrix.
    var description: String { place.joined(separator: ", ") }

    /// Provider, call, fault and connection.
    var place: [String] { [call.provider, call.name, fault.rawValue, isWarm ? "warm" : "cold"] }
}

extension MatrixCall {
    /// What the conformance suite calls it.
    fileprivate var operation: Operation {
        switch use {
        case .provision(let row, _): .provision(row)
        case .readCard, .accessToken: .eligibility(.applePay)
        }
    }
}

extension Staging {
    /// The answer in the processor's words, where the card alone does not bring it about.
    fileprivate var answer: RawAnswer? {
        guard let fault, let status = fault.status, let body = fault.body else { return nil }
        var answer = RawAnswer(status, "", type: fault.contentType ?? "application/json")
        answer.body = body.reveal()
        answer.headers += fault.headers
        return answer
    }
}
