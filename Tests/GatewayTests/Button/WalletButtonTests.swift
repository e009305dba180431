import Provisioning
import Storage
import Testing

@testable import Gateway

/// The button over a real store, with a processor that says what the test tells it to.
@Suite struct WalletButtonTests {
    private static let device = DeviceFacts(canAdd: true)

    private func button(
        _ fixture: GatewayFixture, _ wallet: Wallet = .applePay, _ device: DeviceFacts = device,
        card: String = "card-0001"
    ) async throws(Problem) -> WalletButton {
        try await fixture.gateway.walletButton(
            of: CardKey(program: "rides", id: card), wallet: wallet, device: device)
    }

    @Test func theServingProviderIsAsked() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let shown = try await button(fixture)
        #expect(shown.action == .add && shown.target == .phone && shown.reason == "device_can_add")
        #expect(shown.facts.provider == "scripted" && shown.facts.connection == "scripted_main")
        #expect(!shown.facts.hasActivationCredential)
        fixture.provider.answerEligibility(.success(Eligibility(eligible: false, reason: "missing_agreement")))
        let hidden = try await button(fixture)
        #expect(hidden.action == .none && hidden.target == nil && hidden.reason == "missing_agreement")
        #expect(hidden.facts.eligibility.eligible == false && hidden.facts.device == Self.device)
        #expect(fixture.provider.requests.isEmpty)
    }

    /// No answer, and an answer that claims neither, hide the button; what is known stands in the facts.
    @Test(
        arguments: [
            (Result.success(Eligibility(eligible: nil, reason: "resting")), "resting"),
            (.failure(ProvisioningError(.providerUnavailable, outcome: .unknown)), "provider_unavailable"),
            (.failure(ProvisioningError(.providerTimeout, outcome: .unknown)), "provider_timeout"),
            (.failure(ProvisioningError(.providerCardNotFound, outcome: .refused)), "provider_card_not_found"),
        ] as [(Result<Eligibility, ProvisioningError>, String)])
    func noAnswerHidesTheButton(_ answer: Result<Eligibility, ProvisioningError>, _ reason: String) async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        fixture.provider.answerEligibility(answer)
        let hidden = try await button(fixture)
        #expect(hidden.action == .none && hidden.reason == "eligibility_unknown")
        #expect(hidden.facts.eligibility.eligible == nil && hidden.facts.eligibility.reason == reason)
    }

    @Test func theTokensOfTheServingBindingCount() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        func tokens(_ last4: String) -> DeviceFacts {
            DeviceFacts(tokens: [DeviceToken(last4: last4, state: .name("TOKEN_STATE_ACTIVE"))])
        }
        #expect(try await button(fixture, .googlePay, tokens("4242")).reason == "token_active")
        #expect(try await button(fixture, .googlePay, tokens("4243")).reason == "no_token_of_card")
    }

    /// The app build may be made for another processor's SDK than the one that serves the card now.
    @Test func theWordsOfEveryProviderAreKnown() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        let words = [("THERE", "digitized"), ("AWAY", "not_digitized"), ("HALFWAY", "digitization_state_unknown")]
        for (word, reason) in words {
            let device = DeviceFacts(digitizationState: word)
            #expect(try await button(fixture, .applePay, device).reason == "digitization_state_unknown")
            var directory = fixture.gateway.directory
            directory.providers.append(SpeakingProvider.self)
            let answer = try await fixture.gateway.serving(directory).walletButton(
                of: CardKey(program: "rides", id: "card-0001"), wallet: .applePay, device: device)
            #expect(answer.reason == reason)
        }
    }

    @Test func aWalletThatIsNotServedIsHiddenOrRefused() async throws {
        let fixture = try GatewayFixture(wallets: [.applePay, .samsungPay])
        try await fixture.registerCard()
        for wallet in [Wallet.googlePay, .samsungPay] {
            await #expect(throws: Problem(.walletUnsupported)) { try await button(fixture, wallet) }
        }
        fixture.provider.turnOff(.applePay)
        let hidden = try await button(fixture)
        #expect(hidden.action == .none && hidden.reason == "wallet_unsupported")
        #expect(hidden.facts.eligibility.eligible == false)
    }

    @Test func anUnknownCardIsNotFound() async throws {
        let fixture = try GatewayFixture()
        await #expect(throws: Problem(.cardNotFound)) { try await button(fixture, card: "nobody") }
    }
}

/// A provider whose SDK speaks.
private struct SpeakingProvider: DigitizationVocabulary {
    static let descriptor = ProviderDescriptor(
        id: "speaking", displayName: "Speaking", cardIDPattern: .uuid, tokenFeed: .none, wallets: [])
    static let digitizationStates: [String: DigitizationState] = ["THERE": .digitized, "AWAY": .notDigitized]

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        throw ProvisioningError(.operationUnsupported, outcome: .notSent)
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        Eligibility(eligible: true)
    }
}
