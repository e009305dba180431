import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing

extension House {
    /// Shows Stripe its key, as its SDK in the app does, for Google Pay.
    func redeemByStripe(_ handoff: SecretBytes) async throws {
        let sdk = try #require(sandbox.emulator(named: "stripe")?.sdk)
        _ = try await sdk.redeem(JSONParser().parse(handoff).root, for: .googlePay)
    }
}
