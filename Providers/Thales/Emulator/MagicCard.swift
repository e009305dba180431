import Provisioning
import Sandbox

/// What a card does by its id, without anything being set up.
enum MagicCard: String, CaseIterable {
    case ok
    case mastercard
    case amex
    case discover
    case longname
    case missing
    case gone
    case forbidden
    case unheard
    case ratelimited
    case error
    case unavailable
    case slow
    case reset
    case truncated
    case empty
    case garbled
    case oversize
    case badcheck
    case short
    case spaced
    case numeric
    case badmonth
    case isodate
    case noname

    /// The card's id, or its beginning where more may follow.
    var id: String { "sim_card_\(rawValue)" }

    /// The meaning of a card's id; nil where it has none.
    static func named(_ id: String) -> MagicCard? {
        let exact = allCases.first { $0.id == id }
        return exact ?? (id.hasPrefix(MagicCard.ok.id) ? .ok : nil)
    }

    /// Documents every id.
    static var documentation: [MagicID] {
        allCases.map { MagicID($0 == .ok ? "\($0.id)…" : $0.id, $0.meaning) }
    }

    /// The card's network.
    var network: CardNetwork {
        switch self {
        case .mastercard, .longname: .mastercard
        case .amex: .amex
        case .discover: .discover
        default: .visa
        }
    }

    private var meaning: String {
        switch self {
        case .ok: "a Visa card; anything of [A-Za-z0-9_-] may follow, each a card with a number of its own"
        case .mastercard: "a Mastercard card"
        case .amex: "an American Express card, with 15 digits"
        case .discover: "a Discover card"
        case .longname: "a Mastercard card whose name is longer than the 27 characters that Mastercard takes"
        case .missing: "404"
        case .gone: "410"
        case .forbidden: "403"
        case .unheard: "422 with a word that nobody knows"
        case .ratelimited: "429, Retry-After: 7"
        case .error: "500"
        case .unavailable: "503 with a proxy's HTML page"
        case .slow: "a card, after 30 s"
        case .reset: "the connection is reset"
        case .truncated: "the answer is cut after 12 bytes"
        case .empty: "200 without a body"
        case .garbled: "200 with JSON that is none"
        case .oversize: "200 with more than 256 KiB"
        case .badcheck: "a number whose check digit is wrong"
        case .short: "a number of 11 digits"
        case .spaced: "a number in groups of four"
        case .numeric: "a number that is no text"
        case .badmonth: "the expiry 1331"
        case .isodate: "the expiry 2031-11"
        case .noname: "no cardholder_name"
        }
    }
}
