import Provisioning
import SecretMemory

extension Handoff {
    /// What it holds that nothing may show, in the form that it travels in.
    var secretTexts: [String] {
        switch self {
        case .applePayPass(let pass):
            let key =
                switch pass.key {
                case .ephemeralPublicKey(let key), .wrappedKey(let key): key
                }
            return [pass.activationData, pass.encryptedPassData, key].map { Base64.encode($0.reveal()) }
        case .googlePayOpaqueCard(let card): return [card.tokenCard, card.accountCard].compactMap { $0?.reveal() }
        case .stripeEphemeralKey(let key): return [key.ephemeralKey.revealText()].compactMap(\.self)
        case .d1Authorization(let authorization): return [authorization.jwt.reveal()]
        case .tpcAuthorization(let authorization):
            return [authorization.encryptedPayload.reveal(), authorization.authorizationCode.reveal()]
        }
    }
}
