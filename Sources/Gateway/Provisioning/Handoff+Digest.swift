import Provisioning
import SecretMemory

extension Handoff {
    /// The payload's bytes in a fixed order, to be sized and digested, and then wiped.
    var digestInput: SecretBytes {
        var builder = SecretBuilder(capacity: 4096)
        for part in payload {
            builder.append(part)
            builder.append(0)
        }
        return builder.finish()
    }

    private var payload: [SecretBytes] {
        switch self {
        case .applePayPass(let pass):
            switch pass.key {
            case .ephemeralPublicKey(let key), .wrappedKey(let key):
                [pass.activationData, pass.encryptedPassData, key]
            }
        case .googlePayOpaqueCard(let card): [card.tokenCard?.bytes, card.accountCard?.bytes].compactMap(\.self)
        case .stripeEphemeralKey(let key): [key.ephemeralKey]
        case .d1Authorization(let authorization): [authorization.jwt.bytes]
        case .tpcAuthorization(let authorization):
            [authorization.encryptedPayload.bytes, authorization.authorizationCode.bytes]
        }
    }
}
