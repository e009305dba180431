import ProviderKit
import Provisioning
import SecretMemory

/// How a provider can be wrong.
enum Fault: String, CaseIterable, Sendable {
    case none
    case triesAgain
    case neverCalls
    case trustsItsCaller
    case takesEveryPattern
    case ignoresTheHandshake
    case outlivesTheDeadline
    case forgetsTheOutcome
    case callsEveryFailureUnavailable
    case trustsImitations
    case takesUnknownStatusForActive
    case takesEmptyForSuccess
    case tellsUpstreamsText
    case showsItsKey
    case refusesUnknownMembers
    case dropsTheWait
    case refusesOverlap
    case ignoresCancellation
    case wrongHandoff
    case forgetsAHeader
    case speaksInSentences
    case listsNoCredential
    case listsEveryCredential
    case trustsTokenIDs
    case losesTokenFailures
    case repeatsTokenCalls
    case believesEveryDelivery
    case takesRefusalForConsent
    case asksForSomebodysCard
}

/// An invented processor's adapter, right but for one fault.
struct WrongProvider: ProvisioningProvider {
    /// The fault of what is static, set for the task.
    @TaskLocal static var staticFault = Fault.none

    static var descriptor: ProviderDescriptor {
        ProviderDescriptor(
            id: "acme", displayName: "Acme",
            cardIDPattern: staticFault == .takesEveryPattern
                ? .prefixed([""], .token, length: 0...2000) : .prefixed(["acme_"], .alphanumeric, length: 1...20),
            tokenFeed: .none,
            wallets: [
                WalletSupport(
                    wallet: .googlePay, channel: .inApp, handoff: .googlePayOpaqueCard, handshake: .googlePayDevice,
                    repeatRule: .once, isSingleUse: true)
            ])
    }

    let fault: Fault
    let misreads: Bool
    let apiKey: String
    let kit: AdapterKit
    let upstream: Upstream
    let used = UsedFlag()

    init(_ fault: Fault, misreads: Bool = false, apiKey: String, kit: AdapterKit) {
        self.fault = fault
        self.misreads = misreads
        self.apiKey = apiKey
        self.kit = AdapterKit(
            transport: Detour(base: kit.transport, fault: fault), json: kit.json, cryptography: kit.cryptography,
            clock: kit.clock)
        upstream = Upstream(self.kit, failures: Self.failures)
    }

    static let failures = UpstreamFailureTable(
        rows: [
            .init(404, "no_such_card", .providerCardNotFound), .init(403, "no_wallets", .programNotEnabled),
            .init(400, "bad_handshake", .handshakeRejected), .init(409, "present", .alreadyProvisioned),
            .init(422, "wrong_device", .deviceIneligible),
        ]
    ) { body, _ in UpstreamFault(code: body["code"]?.string) }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        if misreads { return try await misread { () throws(ProvisioningError) in try await push(request) } }
        return try await push(request)
    }

    private func push(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        if fault == .neverCalls { return handoff(SecretText("card"), request) }
        guard fault == .ignoresTheHandshake || isWhole(request.handshake) else {
            throw ProvisioningError(.handshakeInvalid, outcome: .notSent)
        }
        let id = try id(of: request.card)
        if fault == .refusesOverlap, used.isSetAlready() { throw ProvisioningError(.internalError, outcome: .notSent) }
        guard let answer = try await call(.post, "/cards/\(id)/push", request.deadline) else {
            return handoff(SecretText("card"), request)
        }
        return handoff(try answer.text("card", in: answer.body), request)
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        if misreads { return try await misread { () throws(ProvisioningError) in try await read(card, deadline) } }
        return try await read(card, deadline)
    }

    private func read(_ card: CardBinding, _ deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> Eligibility
    {
        if fault == .neverCalls { return Eligibility(eligible: true) }
        guard let answer = try await call(.get, "/cards/\(try id(of: card))", deadline) else {
            return Eligibility(eligible: true)
        }
        let status = try answer.text("status", in: answer.body).reveal()
        guard answer.body["object"] != nil else { throw answer.violation("has no object") }
        if status == "blocked" { return Eligibility(eligible: false, reason: status) }
        return Eligibility(eligible: status == "active" || fault == .takesUnknownStatusForActive ? true : nil)
    }

    /// Takes what comes for something else: good for bad, and bad for another kind of bad.
    private func misread<Success>(_ body: () async throws(ProvisioningError) -> Success)
        async throws(ProvisioningError) -> Success
    {
        do throws(ProvisioningError) {
            _ = try await body()
        } catch {
            let code = error.code == .deviceIneligible ? ProblemCode.providerRejected : .deviceIneligible
            throw ProvisioningError(code, outcome: error.outcome, retryAfter: error.retryAfter)
        }
        throw ProvisioningError(.providerRejected, outcome: .refused)
    }

    private func isWhole(_ handshake: Handshake) -> Bool {
        if case .googlePay = handshake { true } else { false }
    }

    private func id(of card: CardBinding) throws(ProvisioningError) -> String {
        if fault == .trustsItsCaller || fault == .takesEveryPattern { return card.providerCardID }
        return try Self.descriptor.pathSegment(for: card).description
    }

    private func handoff(_ card: SecretText, _ request: ProvisioningRequest) -> Handoff {
        if fault == .wrongHandoff {
            return .applePayPass(
                ApplePayPass(
                    activationData: card.bytes, encryptedPassData: card.bytes, key: .wrappedKey(card.bytes),
                    encryptionVersion: nil))
        }
        return .googlePayOpaqueCard(
            GooglePayOpaqueCard(
                tokenCard: card, accountCard: nil, network: nil, tokenServiceProvider: nil, last4: request.card.last4,
                displayName: request.displayName))
    }

    /// One exchange, spoiled by the fault. Nil is an answer that was taken for a success without a look.
    func call(_ method: UpstreamRequest.Method, _ path: String, _ deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> UpstreamAnswer?
    {
        let request = UpstreamRequest(
            method, "https://acme.example\(path)",
            headers: fault == .forgetsAHeader ? [] : [.bearer(SecretText(apiKey))],
            deadline: fault == .outlivesTheDeadline ? deadline + .seconds(60) : deadline)
        do throws(ProvisioningError) {
            let answer = try await upstream.send(request)
            if fault == .refusesUnknownMembers, (answer.body.members ?? []).count > 2 {
                throw answer.violation("has unknown members")
            }
            return answer
        } catch {
            var error = error
            switch fault {
            case .triesAgain: return try await upstream.send(request)
            case .takesEmptyForSuccess where error.code == .providerContractViolation: return nil
            case .forgetsTheOutcome: error.outcome = .refused
            case .callsEveryFailureUnavailable: error.code = .providerUnavailable
            case .trustsImitations where error.upstream?.code == "already_provisioned":
                error = ProvisioningError(.alreadyProvisioned, outcome: .applied)
            case .tellsUpstreamsText: error.detail = AcmeFixtures.sentence
            case .dropsTheWait: error.retryAfter = nil
            default: break
            }
            throw error
        }
    }
}

extension WrongProvider: CustomStringConvertible {
    var description: String { fault == .showsItsKey ? "Acme with \(apiKey)" : "Acme" }
}

extension WrongProvider: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: []) }
}

extension WrongProvider: DigitizationVocabulary {
    static var digitizationStates: [String: DigitizationState] {
        [staticFault == .speaksInSentences ? "It is there." : "THERE": .digitized]
    }
}

extension WrongProvider: WalletCredentials {
    static var credentialPurposes: Set<WalletCredentialPurpose> {
        switch staticFault {
        case .listsNoCredential: []
        case .listsEveryCredential: Set(WalletCredentialPurpose.allCases)
        default: [.state]
        }
    }

    func credential(_ request: WalletCredentialRequest) async throws(ProvisioningError) -> WalletCredential {
        guard request.purpose == .state else { throw ProvisioningError(.operationUnsupported, outcome: .notSent) }
        return WalletCredential(
            purpose: .state, token: SecretText("credential"), expiresAt: Timestamp(milliseconds: 1_800_000_000_000))
    }
}

extension WrongProvider: CredentialCheck {
    var credentialQuestion: CredentialQuestion? { CredentialQuestion("one card of the list") }

    func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError) {
        do throws(ProvisioningError) {
            let path = fault == .asksForSomebodysCard ? "/cards/acme_1" : "/cards?limit=1"
            _ = try await call(.get, path, deadline)
        } catch {
            if fault != .takesRefusalForConsent { throw error }
        }
    }
}
