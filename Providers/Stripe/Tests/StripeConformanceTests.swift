import ProviderConformance
import ProviderTesting
import StripeProvider
import Testing

@Suite("Stripe keeps the provisioning contract")
struct StripeConformanceTests {
    @Test(arguments: Requirement<ReplayHarness<StripeProvider>>.all)
    func keeps(_ requirement: Requirement<ReplayHarness<StripeProvider>>) async throws {
        let verdict = try await requirement.verify(StripeHarness.replay)
        if case .notRun(let reason) = verdict { #expect(StripeHarness.absent.values.contains(reason)) }
    }

    @Test func everyErrorInItsFixturesMeansSomething() async throws {
        #expect(try await StripeHarness.replay.strayFixtures() == [])
    }

    @Test func itsFixturesHoldNothingReal() {
        #expect(StripeHarness.fixtures.names.count >= 13)
        #expect(StripeHarness.fixtures.findings() == [])
    }
}
