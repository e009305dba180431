import Provisioning
import Storage
import Testing

@testable import Gateway

@Suite("Wallets and buttons go by the migration in force")
struct RoutedQuestionTests {
    let fixture: SwitchFixture

    init() async throws {
        fixture = try SwitchFixture()
        try await fixture.register()
    }

    private func wallet(accept: [HandoffType]? = nil) async throws -> WalletEligibility? {
        try await fixture.gateway.wallets(of: SwitchFixture.card, accept: accept, wallet: .applePay).first
    }

    @Test func theWalletsAreThoseOfTheServingSide() async throws {
        #expect(try await wallet()?.connection == "scripted_main")
        let id = try await fixture.open()
        let moved = try await wallet()
        #expect(moved?.connection == "next_main" && moved?.handoff == .stripeEphemeralKey)
        #expect(moved?.applePayConfiguration?.primaryAccountSuffix == "1881")
        #expect(moved?.applePayConfiguration?.paymentNetwork == "mastercard")
        let ofCardholder = try await fixture.gateway.wallets(
            ofCardholder: "holder-1", program: "rides", wallet: .applePay)
        #expect(ofCardholder.map(\.connection) == ["next_main"])
        try await fixture.take(.rollback, with: id)
        #expect(try await wallet()?.connection == "scripted_main")
    }

    @Test func anAppThatCannotDoWithToIsToldOfFrom() async throws {
        try await fixture.open()
        let old = try await wallet(accept: [.applePayPass])
        #expect(old?.connection == "scripted_main" && old?.handoff == .applePayPass)
        #expect(old?.applePayConfiguration?.primaryAccountSuffix == "4242")
        let neither = try await wallet(accept: [.d1Authorization])
        #expect(neither?.connection == "next_main" && neither?.handoff == nil)
        #expect(neither?.eligibility.reason == "handoff_unsupported_by_app")
    }

    @Test func theButtonLooksForTheServingBindingsDigits() async throws {
        let device = DeviceFacts(
            canAdd: true, tokens: ["4242", "1881", "1881"].map { DeviceToken(last4: $0, state: .number(5)) })
        func facts() async throws -> ButtonFacts {
            try await fixture.gateway.walletButton(of: SwitchFixture.card, wallet: .applePay, device: device).facts
        }
        #expect(try await facts().tokens?.map(\.last4) == ["4242"])
        try await fixture.open()
        let moved = try await facts()
        #expect(moved.tokens?.map(\.last4) == ["1881", "1881"] && moved.connection == "next_main")
    }

    @Test func aCardTellsWhoServesIt() async throws {
        try await fixture.open()
        let card = try await fixture.gateway.card(SwitchFixture.card)
        #expect(card.servingBinding?.card.connection == "next_main")
        #expect(card.activeBinding?.card.connection == "scripted_main")
    }
}
