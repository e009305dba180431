import ImprintProvider
import ProviderConformance
import ProviderTesting
import Testing

@Suite("Imprint keeps the provisioning contract")
struct ImprintConformanceTests {
    @Test(arguments: Requirement<ReplayHarness<ImprintProvider>>.all)
    func keeps(_ requirement: Requirement<ReplayHarness<ImprintProvider>>) async throws {
        let verdict = try await requirement.verify(ImprintHarness.replay)
        if case .notRun(let reason) = verdict { #expect(reason == "Imprint has no word for it") }
    }

    @Test func everyErrorInItsFixturesMeansSomething() async throws {
        #expect(try await ImprintHarness.replay.strayFixtures() == [])
    }

    @Test func itsFixturesHoldNothingReal() {
        #expect(ImprintHarness.fixtures.names.count >= 17)
        #expect(ImprintHarness.fixtures.findings() == [])
    }
}
