import ProviderConformance
import Sandbox
import Testing
import ThalesEmulator
import ThalesProvider

@Suite("Thales keeps the provisioning contract before its emulator")
struct ThalesEmulatorConformanceTests {
    private static let harness = EmulatorHarness<ThalesProvider>.onLoopback { json, _ in ThalesEmulator(json: json) }

    /// What no vault has words for.
    private static let absent: [Situation] = [
        .enumValuesUnheardOf, .notEnabled, .handshakeRejected, .alreadyProvisioned, .deviceIneligible,
    ]

    @Test(arguments: Requirement<EmulatorHarness<ThalesProvider>>.all)
    func keeps(_ requirement: Requirement<EmulatorHarness<ThalesProvider>>) async throws {
        let verdict = try await requirement.verify(Self.harness)
        guard case .notRun(let reason) = verdict, !requirement.description.hasPrefix("eligibility") else { return }
        #expect(reason == "Thales's emulator has no words for it")
        #expect(Self.absent.contains { requirement.description.contains($0.rawValue) })
    }
}
