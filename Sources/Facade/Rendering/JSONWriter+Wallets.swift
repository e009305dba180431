import Gateway
import ProviderKit
import Provisioning
import Storage

extension JSONWriter {
    /// Writes whether a card can be added to a wallet.
    mutating func walletEligibility(_ answer: WalletEligibility) {
        object { json in
            json.member("object", "wallet_eligibility")
            json.member("card", answer.card.id)
            json.member("wallet", answer.wallet.rawValue)
            json.member("provider", answer.provider)
            json.member("connection", answer.connection)
            json.member("eligible", answer.eligibility.eligible)
            json.member("reason", answer.eligibility.reason)
            json.member("channels", array: { json in for channel in answer.channels { json.value(channel.rawValue) } })
            json.member("handoff", answer.handoff?.rawValue)
            json.member("plan", answer.plan)
            json.member("primary_account_identifier", answer.eligibility.primaryAccountIdentifier)
            let manual = answer.eligibility.manualProvisioning
            json.member(
                "manual_provisioning",
                object: { json in
                    json.member("available", manual.available)
                    json.member("missing", array: { json in for member in manual.missing { json.value(member) } })
                })
            if let configuration = answer.applePayConfiguration {
                json.member("apple_pay_configuration", object: { json in json.members(of: configuration) })
            }
            json.member("title", answer.title)
            json.member("art_url", answer.artURL)
            if let problem = answer.problem { json.member("problem", object: { json in json.brief(problem) }) }
        }
    }

    private mutating func members(of configuration: ApplePayConfiguration) {
        member("cardholder_name", configuration.cardholderName)
        member("primary_account_suffix", configuration.primaryAccountSuffix)
        member("localized_description", configuration.localizedDescription)
        member("payment_network", configuration.paymentNetwork)
        member("encryption_scheme", configuration.encryptionScheme)
        member("primary_account_identifier", configuration.primaryAccountIdentifier)
    }

    private mutating func brief(_ problem: Problem) {
        member("code", problem.code.rawValue)
        member("retry", problem.retry.rawValue)
        member("detail", problem.detail ?? problem.code.entry.meaning)
    }

    /// Writes what a provider offers for a wallet on a channel.
    mutating func capability(_ capability: Capability) {
        object { json in
            json.member("object", "capability")
            json.member("provider", capability.provider)
            json.member("wallet", capability.wallet.rawValue)
            json.member("channel", capability.channel.rawValue)
            json.member("handoff", capability.handoff?.rawValue)
            json.member(
                "operations", array: { json in for operation in capability.operations { json.value(operation) } })
        }
    }

    /// Writes a credential. Its token is there in the answer that made it, and never again.
    mutating func walletCredential(_ credential: WalletCredential, showsToken: Bool) {
        object { json in
            json.member("object", "wallet_credential")
            json.member("purpose", credential.purpose.rawValue)
            json.member("token", showsToken ? credential.token : nil)
            json.member("expires_at", credential.expiresAt)
        }
    }
}
