import ProviderKit
import Provisioning
import Sandbox

/// The TPC SDK in the app, simulated: it shows Thales what the gateway made, and gets a token.
struct ThalesSDK: ProcessorSDK {
    let handoff = HandoffType.tpcAuthorization
    let backend: ThalesBackend

    func redeem(_ handoff: JSONView, for wallet: Wallet) async throws(DeviceFailure) -> DeviceVerdict {
        guard handoff["type"]?.equals(HandoffType.tpcAuthorization.rawValue) == true,
            let payload = handoff["encrypted_payload"]?.secretText,
            let code = handoff["authorization_code"]?.secretText, let scheme = handoff["scheme"]?.string,
            let suffix = handoff["primary_account_suffix"]?.string, let name = handoff["cardholder_name"]?.string,
            !name.isEmpty
        else { throw DeviceFailure("the handoff lacks what the SDK's provision call takes") }
        let card = try backend.open(payload)
        try backend.redeem(code, for: wallet, subject: card.reference)
        guard card.last4 == suffix else {
            throw DeviceFailure("the handoff's primary_account_suffix is not the encrypted card's")
        }
        guard scheme == "MASTERCARD" ? card.name.utf16.count <= 27 : !scheme.isEmpty else {
            throw DeviceFailure("the encrypted name is longer than the 27 characters that Mastercard takes")
        }
        let token = SimulatedToken.new(for: card.last4, network: scheme.lowercased(), cardholderName: card.name)
        return DeviceVerdict(deed: "had Thales open the card", token: token)
    }
}
