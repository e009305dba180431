import ProviderConformance
import ProviderTesting
import SecretMemory

/// What the invented processor answers.
enum AcmeFixtures {
    static let apiKey = "acme-key-invented"
    static let sentence = "The person at the desk said no."

    static func fixture(_ situation: Situation, _ operation: Operation) throws -> Fixture {
        let isPush = if case .provision = operation { true } else { false }
        let success = isPush ? #"{"card":"opaque-card-invented"}"# : #"{"object":"acme_card","status":"active"}"#
        let (status, body): (Int, String) =
            switch situation {
            case .enumValuesUnheardOf: (200, isPush ? success : #"{"object":"acme_card","status":"asleep"}"#)
            case .cardIneligible: (200, #"{"object":"acme_card","status":"blocked"}"#)
            case .cardMissing: (404, failure("no_such_card"))
            case .credentialsRejected: (401, failure("bad_key"))
            case .permissionDenied: (403, failure("no_permission"))
            case .notEnabled: (403, failure("no_wallets"))
            case .handshakeRejected: (400, failure("bad_handshake"))
            case .alreadyProvisioned: (409, failure("present"))
            case .deviceIneligible: (422, failure("wrong_device"))
            case .rateLimited: (429, failure("slow_down"))
            case .refusalUnheardOf: (422, failure("raining"))
            case .failureUnheardOf: (500, failure("flooded"))
            default: (200, success)
            }
        let method = isPush ? "POST" : "GET"
        let path = isPush ? "/push" : ""
        let text = """
            {"because":"an invented processor answers so","secret_members":["card"],
             "request":{"method":"\(method)","url":"https://acme.example/cards/acme_1\(path)",
                        "headers":{"authorization":"Bearer \(apiKey)"}},
             "response":{"status":\(status),"headers":{"retry-after":"7"},"body":\(body)}}
            """
        return try Fixture(name: situation.rawValue, SecretBytes(utf8: text))
    }

    private static func failure(_ code: String) -> String { #"{"code":"\#(code)","message":"\#(sentence)"}"# }
}
