import IncreaseProvider
import ProviderConformance
import ProviderTesting
import Testing

@Suite("Increase keeps the provisioning contract")
struct IncreaseConformanceTests {
    @Test(arguments: Requirement<ReplayHarness<IncreaseProvider>>.all)
    func keeps(_ requirement: Requirement<ReplayHarness<IncreaseProvider>>) async throws {
        let verdict = try await requirement.verify(IncreaseHarness.replay)
        if case .notRun(let reason) = verdict { #expect(reason == "Increase has no answer that says so") }
    }

    @Test func everyErrorInItsFixturesMeansSomething() async throws {
        #expect(try await IncreaseHarness.replay.strayFixtures() == [])
    }

    @Test func itsFixturesHoldNothingReal() {
        #expect(IncreaseHarness.fixtures.names.count >= 17)
        #expect(IncreaseHarness.fixtures.findings() == [])
    }
}
