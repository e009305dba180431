import ProviderConformance
import Sandbox
import StripeEmulator
import StripeProvider
import Testing

@Suite("Stripe keeps the provisioning contract before its emulator")
struct StripeEmulatorConformanceTests {
    private static let harness = EmulatorHarness<StripeProvider>.onLoopback {
        StripeEmulator(json: $0, network: $1)
    }

    @Test(arguments: Requirement<EmulatorHarness<StripeProvider>>.all)
    func keeps(_ requirement: Requirement<EmulatorHarness<StripeProvider>>) async throws {
        let verdict = try await requirement.verify(Self.harness)
        if case .notRun(let reason) = verdict {
            #expect(reason == "Stripe's emulator has no words for it")
            let absent = ["already_provisioned", "handshake_rejected", "not_enabled", "device_ineligible"]
            #expect(absent.contains { requirement.description.contains($0) })
        }
    }
}
