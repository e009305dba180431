import ProviderKit
import Sandbox
import SecretMemory

/// What the emulated vault answers.
enum VaultAnswer {
    /// 401: the token is missing, given twice, or wrong.
    static var unauthorized: EmulatedResponse {
        var answer = failure(401, "unauthorized")
        answer.headers.append(("www-authenticate", "Bearer"))
        return answer
    }

    /// A failure with a word of the vault's own.
    static func failure(_ status: Int, _ word: String) -> EmulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.member("error", word)
            json.member("message", "The vault says no to this request.")
        }
        return .json(status, json.finish())
    }

    /// The answer of a card.
    static func of(_ magic: MagicCard, id: String) -> EmulatedResponse {
        if let answer = withoutCard(magic) { return answer }
        var entry = VaultEntry(id: id, network: magic.network)
        if magic == .longname { entry.cardholderName = "Maximiliana Featherstonehaugh Crease" }
        var answer = EmulatedResponse.json(200, body(of: entry, magic))
        switch magic {
        case .slow: answer.delay = .seconds(30)
        case .truncated: answer.breaks = .truncate(after: 12)
        default: break
        }
        return answer
    }

    private static func withoutCard(_ magic: MagicCard) -> EmulatedResponse? {
        switch magic {
        case .missing: return failure(404, "no_such_card")
        case .gone: return failure(410, "card_closed")
        case .forbidden: return failure(403, "forbidden")
        case .unheard: return failure(422, "card_is_asleep")
        case .ratelimited:
            var answer = failure(429, "too_many_requests")
            answer.headers.append(("retry-after", "7"))
            return answer
        case .error: return failure(500, "internal")
        case .unavailable:
            return .html(503, "<!doctype html><html><body><h1>503 Service Temporarily Unavailable</h1></body></html>")
        case .reset: return EmulatedResponse(status: 200, breaks: .reset)
        case .empty: return .json(200, SecretBytes([]))
        case .garbled: return .json(200, SecretBytes(utf8: #"{"pan":"#))
        case .oversize: return .json(200, SecretBytes([UInt8](repeating: 0x20, count: 300_000)))
        default: return nil
        }
    }

    private static func body(of entry: VaultEntry, _ magic: MagicCard) -> SecretBytes {
        let digits = entry.number.reveal()
        var json = JSONWriter()
        json.object { json in
            switch magic {
            case .badcheck: json.member("pan", String(digits.dropLast()) + (digits.hasSuffix("0") ? "1" : "0"))
            case .short: json.member("pan", String(digits.prefix(11)))
            case .spaced:
                let groups = stride(from: 0, to: 16, by: 4).map { String(digits.dropFirst($0).prefix(4)) }
                json.member("pan", groups.joined(separator: " "))
            case .numeric: json.member("pan", Int(digits))
            default: json.member("pan", entry.number)
            }
            switch magic {
            case .badmonth: json.member("expiry", "1331")
            case .isodate: json.member("expiry", "2031-11")
            default: json.member("expiry", entry.expiry)
            }
            if magic != .noname { json.member("cardholder_name", entry.cardholderName) }
        }
        return json.finish()
    }
}
