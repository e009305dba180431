import ProviderConformance
import Provisioning
import SecretMemory

/// Makes sample requests with handshakes that a strict processor accepts once, each of another device: a processor may
/// refuse a card that is on the device already.
struct RealHandshake: Sendable {
    let network: SimulatedNetwork

    /// A whole request for the row, with a handshake and an idempotency key of its own.
    func request(for row: WalletSupport, card: CardBinding, deadline: ContinuousClock.Instant) throws(DeviceFailure)
        -> ProvisioningRequest
    {
        var request = SampleRequest.make(for: row, card: card, deadline: deadline)
        request.idempotencyKey = OpaqueCardAttempt.newID("attempt").reveal()
        switch row.handshake {
        case .applePay:
            let pass = try SimulatedPhone(network: network).beginPass()
            request.handshake = .applePay(
                ApplePayHandshake(
                    certificates: pass.certificates, nonce: pass.nonce, nonceSignature: pass.nonceSignature))
        case .googlePayDevice, .googlePaySession:
            request.handshake = .googlePay(
                GooglePayHandshake(
                    walletID: OpaqueCardAttempt.newID("wallet"), deviceID: OpaqueCardAttempt.newID("device"),
                    serverSessionID: OpaqueCardAttempt.newID("session")))
        case .none: break
        }
        return request
    }
}

extension Handshake {
    /// The texts of it that nothing may show.
    var secretTexts: [String] {
        switch self {
        case .applePay(let pass): [pass.nonce, pass.nonceSignature].map { Base64.encode($0.reveal()) }
        case .googlePay(let google):
            [google.walletID, google.deviceID, google.serverSessionID].compactMap { $0?.reveal() }
        case .none: []
        }
    }
}

extension EmulatedCard {
    /// The card as a connection of the laboratory binds it.
    var binding: CardBinding {
        CardBinding(
            connection: "laboratory", providerCardID: id, providerCardholderID: cardholderID, last4: last4,
            network: network)
    }
}

extension Operation {
    /// The row that a request for it is made for.
    func row(of descriptor: ProviderDescriptor) -> WalletSupport? {
        switch self {
        case .provision(let row): row
        case .eligibility(let wallet): descriptor.wallets.first { $0.wallet == wallet }
        }
    }
}
