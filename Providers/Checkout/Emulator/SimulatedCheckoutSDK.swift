import ProviderKit
import Provisioning
import Sandbox
import SecretMemory

/// Checkout.com's SDK in the app, simulated: it is configured with what the handoff says, and shows D1 the authorization.
struct SimulatedCheckoutSDK: ProcessorSDK {
    let emulator: CheckoutEmulator
    let handoff = HandoffType.d1Authorization

    func redeem(_ handoff: JSONView, for wallet: Wallet) async throws(DeviceFailure) -> DeviceVerdict {
        guard handoff["type"]?.equals(self.handoff.rawValue) == true, let jwt = handoff["jwt"]?.secretText,
            let cardID = handoff["provider_card_id"]?.string, let cardholderID = handoff["cardholder_id"]?.string
        else { throw DeviceFailure("the handoff is no authorization for D1") }
        let expected = [
            ("issuer_id", emulator.d1.issuerID), ("service_rsa_modulus", CheckoutEmulator.serviceRSAModulus),
            ("service_rsa_exponent", CheckoutEmulator.serviceRSAExponent), ("cardholder_id", CheckoutState.cardholder),
        ]
        for (name, value) in expected where handoff[name]?.equals(value) != true {
            throw DeviceFailure("the SDK cannot be configured: \(name) is not what onboarding gave")
        }
        for name in ["service_url", "digital_card_url"] where handoff[name]?.string?.contains("/d1/") != true {
            throw DeviceFailure("the SDK cannot be configured: \(name) does not lead to D1")
        }
        do throws(D1Refusal) {
            let addition = try emulator.add(cardID, to: wallet, authorization: jwt)
            let deed = addition.isVerified ? "had D1 add the card" : "had D1 add the card, to be verified"
            return DeviceVerdict(deed: deed, token: addition.token)
        } catch {
            throw DeviceFailure("D1 refuses the authorization of \(cardholderID): \(error.rawValue)")
        }
    }
}
