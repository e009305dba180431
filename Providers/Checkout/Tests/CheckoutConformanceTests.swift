import CheckoutProvider
import ProviderConformance
import ProviderTesting
import Testing

@Suite("Checkout.com keeps the provisioning contract")
struct CheckoutConformanceTests {
    @Test(arguments: Requirement<ReplayHarness<CheckoutProvider>>.all)
    func keeps(_ requirement: Requirement<ReplayHarness<CheckoutProvider>>) async throws {
        let verdict = try await requirement.verify(CheckoutHarness.replay)
        if case .notRun(let reason) = verdict {
            #expect([CheckoutHarness.noAnswer, "the provider answers by itself"].contains(reason))
        }
    }

    @Test func everyErrorInItsFixturesMeansSomething() async throws {
        #expect(try await CheckoutHarness.replay.strayFixtures() == [])
    }

    @Test func itsFixturesHoldNothingReal() {
        #expect(CheckoutHarness.fixtures.names.count >= 9)
        #expect(CheckoutHarness.fixtures.findings() == [])
    }
}
