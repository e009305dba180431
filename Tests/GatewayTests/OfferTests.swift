import Provisioning
import Storage
import Testing

@testable import Gateway

/// A connection's settings may turn off what its provider could do.
struct OfferTests {
    private func wallets(_ fixture: GatewayFixture) async throws -> [WalletEligibility] {
        try await fixture.gateway.wallets(
            of: CardKey(program: "rides", id: "card-0001"), accept: nil, wallet: nil)
    }

    @Test func aWalletThatIsTurnedOffIsRefusedBeforeAnythingIsSpent() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        fixture.provider.turnOff(.googlePay)
        let problem = try #require(await fixture.problem(fixture.googleCommand()))
        #expect(problem.code == .walletUnsupported && problem.outcome == .notSent && problem.provisioning == nil)
        #expect(fixture.provider.requests.isEmpty)
        let apple = try await fixture.provision(try fixture.command())
        #expect(apple.status == .handedOff)
    }

    @Test func aWalletThatIsTurnedOffIsNotOffered() async throws {
        let fixture = try GatewayFixture()
        try await fixture.registerCard()
        #expect(try await wallets(fixture).map(\.eligibility.eligible) == [true, true])
        fixture.provider.turnOff(.googlePay)
        let offers = try await wallets(fixture)
        #expect(offers.map(\.wallet) == [.applePay, .googlePay])
        let google = try #require(offers.last)
        #expect(google.eligibility.eligible == false && google.eligibility.reason == "wallet_unsupported")
        #expect(google.channels.isEmpty && google.handoff == nil && google.plan == nil)
    }

    /// The provider's capabilities are those of the provider, whatever a connection turns off.
    @Test func theCapabilitiesStayTheProviders() async throws {
        let fixture = try GatewayFixture()
        let before = fixture.gateway.capabilities()
        fixture.provider.turnOff(.googlePay)
        #expect(fixture.gateway.capabilities() == before)
    }
}
