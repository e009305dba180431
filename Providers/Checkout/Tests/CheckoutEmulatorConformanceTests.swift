import CheckoutEmulator
import CheckoutProvider
import ProviderConformance
import Sandbox
import Testing

@Suite("Checkout.com keeps the provisioning contract before its emulator")
struct CheckoutEmulatorConformanceTests {
    private static let harness = EmulatorHarness<CheckoutProvider>.onLoopback {
        CheckoutEmulator(json: $0, network: $1)
    }

    @Test(arguments: Requirement<EmulatorHarness<CheckoutProvider>>.all)
    func keeps(_ requirement: Requirement<EmulatorHarness<CheckoutProvider>>) async throws {
        let verdict = try await requirement.verify(Self.harness)
        guard case .notRun(let reason) = verdict else { return }
        if reason == "the provider answers by itself" {
            #expect(requirement.description.contains(" in_app: "))
        } else {
            #expect(reason == "Checkout.com's emulator has no words for it")
            let unknown = ["already_provisioned", "handshake_rejected", "not_enabled", "device_ineligible"]
            #expect(unknown.contains { requirement.description.contains($0) })
        }
    }
}
