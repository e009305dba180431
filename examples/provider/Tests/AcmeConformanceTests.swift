import AcmeEmulator
import AcmeProvider
import ProviderConformance
import ProviderTesting
import Provisioning
import Sandbox
import Testing

@Suite("Acme keeps the provisioning contract")
struct AcmeConformanceTests {
    private static let replay = ReplayHarness<AcmeProvider>(
        fixtures: FixtureFolder(),
        card: CardBinding(connection: "main", providerCardID: "acme_1", last4: "1288", network: .visa),
        settings: TestSettings([("api_key", "key_invented_for_tests")]), secrets: ["key_invented_for_tests"])
    private static let emulator = EmulatorHarness<AcmeProvider>.onLoopback { AcmeEmulator(json: $0, network: $1) }

    @Test(arguments: Requirement<ReplayHarness<AcmeProvider>>.all)
    func keeps(_ requirement: Requirement<ReplayHarness<AcmeProvider>>) async throws {
        #expect(try await requirement.verify(Self.replay) == .kept)
    }

    @Test(arguments: Requirement<EmulatorHarness<AcmeProvider>>.all)
    func keepsBeforeItsEmulator(_ requirement: Requirement<EmulatorHarness<AcmeProvider>>) async throws {
        #expect(try await requirement.verify(Self.emulator) == .kept)
    }

    @Test func everyErrorInItsFixturesMeansSomething() async throws {
        #expect(try await Self.replay.strayFixtures() == [])
    }

    @Test func itsFixturesHoldNothingReal() {
        #expect(!FixtureFolder().names.isEmpty)
        #expect(FixtureFolder().findings() == [])
    }
}
