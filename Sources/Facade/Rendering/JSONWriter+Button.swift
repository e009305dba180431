import Gateway
import ProviderKit
import Provisioning

extension JSONWriter {
    /// Writes what the app's button should do.
    mutating func walletButton(_ button: WalletButton) {
        object { json in
            json.member("object", "wallet_button")
            json.member("show", button.action.isShown)
            json.member("action", button.action.rawValue)
            json.member("target", button.target?.rawValue)
            json.member("reason", button.reason)
            json.member("facts", object: { json in json.members(of: button.facts) })
        }
    }

    private mutating func members(of facts: ButtonFacts) {
        member("provider", facts.provider)
        member("connection", facts.connection)
        member("eligible", facts.eligibility.eligible)
        member("eligibility_reason", facts.eligibility.reason)
        member("activation_credential", facts.hasActivationCredential)
        let device = facts.device
        member("can_add", device.canAdd)
        member("watch_paired", device.watchPaired)
        member("watch_free", device.watchIsFree)
        member("local_pass", device.localPass?.rawValue)
        member("remote_pass", device.remotePass?.rawValue)
        member("digitization_state", device.digitizationState.flatMap(Self.plainWord))
        if let tokens = facts.tokens {
            member("tokens", array: { json in for token in tokens { json.token(token) } })
        } else {
            member("tokens", nil as String?)
        }
        member("other_tokens", facts.otherTokens)
    }

    private mutating func token(_ token: DeviceToken) {
        object { json in
            json.member("last4", token.last4)
            switch token.state {
            case .number(let number): json.member("state", number)
            case .name(let name): json.member("state", Self.plainWord(name))
            }
            json.member("name", token.stateName)
        }
    }

    /// The text where it has the form of a code and holds no card number: facts end in logs.
    private static func plainWord(_ text: String) -> String? { UpstreamReport(status: nil, code: text).code }
}
