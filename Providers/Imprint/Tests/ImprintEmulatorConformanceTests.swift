import ImprintEmulator
import ImprintProvider
import ProviderConformance
import Sandbox
import Testing

@Suite("Imprint keeps the provisioning contract before its emulator")
struct ImprintEmulatorConformanceTests {
    private static let harness = EmulatorHarness<ImprintProvider>.onLoopback {
        ImprintEmulator(json: $0, network: $1)
    }

    @Test(arguments: Requirement<EmulatorHarness<ImprintProvider>>.all)
    func keeps(_ requirement: Requirement<EmulatorHarness<ImprintProvider>>) async throws {
        let verdict = try await requirement.verify(Self.harness)
        if case .notRun(let reason) = verdict {
            #expect(reason == "Imprint's emulator has no words for it")
            #expect(requirement.description.contains("not_enabled"))
        }
    }
}
