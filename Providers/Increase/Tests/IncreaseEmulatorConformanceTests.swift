import IncreaseEmulator
import IncreaseProvider
import ProviderConformance
import Sandbox
import Testing

@Suite("Increase keeps the provisioning contract before its emulator")
struct IncreaseEmulatorConformanceTests {
    private static let harness = EmulatorHarness<IncreaseProvider>.onLoopback {
        IncreaseEmulator(json: $0, network: $1)
    }

    @Test(arguments: Requirement<EmulatorHarness<IncreaseProvider>>.all)
    func keeps(_ requirement: Requirement<EmulatorHarness<IncreaseProvider>>) async throws {
        let verdict = try await requirement.verify(Self.harness)
        if case .notRun(let reason) = verdict {
            #expect(reason == "Increase's emulator has no words for it")
            let absent = ["already_provisioned", "device_ineligible"]
            #expect(absent.contains { requirement.description.contains($0) })
        }
    }
}
