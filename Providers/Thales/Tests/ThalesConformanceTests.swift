import ProviderConformance
import ProviderTesting
import Testing
import ThalesProvider

@Suite("Thales keeps the provisioning contract")
struct ThalesConformanceTests {
    @Test(arguments: Requirement<ReplayHarness<ThalesProvider>>.all)
    func keeps(_ requirement: Requirement<ReplayHarness<ThalesProvider>>) async throws {
        let verdict = try await requirement.verify(ThalesHarness.replay)
        guard case .notRun(let reason) = verdict else { return }
        #expect(reason.hasPrefix("a vault") || reason == "the provider answers by itself")
        #expect(requirement.description.hasPrefix("eligibility") || reason.hasPrefix("a vault"))
    }

    @Test func everyErrorInItsFixturesMeansSomething() async throws {
        #expect(try await ThalesHarness.replay.strayFixtures() == [])
    }

    @Test func itsFixturesHoldNothingReal() {
        #expect(ThalesHarness.fixtures.names.count == 8)
        #expect(ThalesHarness.fixtures.findings() == [])
    }
}
