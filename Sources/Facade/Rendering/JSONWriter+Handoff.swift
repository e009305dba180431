import ProviderKit
import Provisioning

extension JSONWriter {
    /// Writes what the app needs, straight into wiped memory.
    mutating func handoff(_ handoff: Handoff) {
        object { json in
            json.member("type", handoff.type.rawValue)
            switch handoff {
            case .applePayPass(let pass): json.members(of: pass)
            case .googlePayOpaqueCard(let card): json.members(of: card)
            case .stripeEphemeralKey(let key): json.members(of: key)
            case .d1Authorization(let authorization): json.members(of: authorization)
            case .tpcAuthorization(let authorization): json.members(of: authorization)
            }
        }
    }

    private mutating func members(of pass: ApplePayPass) {
        member("activation_data", base64: pass.activationData)
        member("encrypted_pass_data", base64: pass.encryptedPassData)
        switch pass.key {
        case .ephemeralPublicKey(let key): member("ephemeral_public_key", base64: key)
        case .wrappedKey(let key): member("wrapped_key", base64: key)
        }
        member("encryption_version", pass.encryptionVersion)
    }

    private mutating func members(of card: GooglePayOpaqueCard) {
        member("token_card", card.tokenCard)
        member("account_card", card.accountCard)
        member("network", card.network)
        member("token_service_provider", card.tokenServiceProvider)
        member("last4", card.last4)
        member("display_name", card.displayName)
    }

    private mutating func member(_ name: String, _ constant: GooglePayOpaqueCard.Constant?) {
        switch constant {
        case .number(let number): member(name, number)
        case .name(let text): member(name, text)
        case nil: member(name, nil as String?)
        }
    }

    private mutating func members(of key: StripeEphemeralKey) {
        member("ephemeral_key", verbatim: key.ephemeralKey)
        member("api_version", key.apiVersion)
        member("provider_card_id", key.providerCardID)
        member("expires_at", key.expiresAt)
    }

    private mutating func members(of authorization: D1Authorization) {
        member("jwt", authorization.jwt)
        member("expires_at", authorization.expiresAt)
        member("provider_card_id", authorization.providerCardID)
        member("cardholder_id", authorization.cardholderID)
        member("issuer_id", authorization.issuerID)
        member("service_url", authorization.serviceURL)
        member("digital_card_url", authorization.digitalCardURL)
        member("service_rsa_modulus", authorization.serviceRSAModulus)
        member("service_rsa_exponent", authorization.serviceRSAExponent)
    }

    private mutating func members(of authorization: TPCAuthorization) {
        member("encrypted_payload", authorization.encryptedPayload)
        member("authorization_code", authorization.authorizationCode)
        member("expires_at", authorization.expiresAt)
        member("scheme", authorization.scheme)
        member("primary_account_suffix", authorization.primaryAccountSuffix)
        member("cardholder_name", authorization.cardholderName)
        member("product_id", authorization.productID)
        member("primary_account_identifier", authorization.primaryAccountIdentifier)
    }
}
