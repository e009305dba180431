import Sandbox

/// What a card does by its id, without anything being set up.
enum MagicCard: String, CaseIterable {
    case ok
    case inactive
    case canceled
    case unheardof
    case missingagreement
    case unsupportedregion
    case nocontact
    case ratelimited
    case locked
    case conflict
    case declined
    case forbidden
    case error
    case finalerror
    case unavailable
    case slow
    case lost
    case reset
    case truncated
    case empty
    case garbled
    case oversize
    case expired
    case yellow
    case notoken

    /// The card's id, or its beginning where more may follow.
    var id: String { "ic_\(rawValue)" }

    /// The meaning of a card's id; nil where it has none.
    static func named(_ id: String) -> MagicCard? {
        let exact = allCases.first { $0.id == id }
        return exact ?? (id.hasPrefix(MagicCard.ok.id) ? .ok : nil)
    }

    /// Documents every id.
    static var documentation: [MagicID] {
        allCases.map { MagicID($0 == .ok ? "\($0.id)…" : $0.id, $0.meaning) }
    }

    private var meaning: String {
        switch self {
        case .ok: "an active card; anything of [A-Za-z0-9] may follow, each a card of its own"
        case .inactive: "status inactive: a key is made, and the SDK is refused"
        case .canceled: "status canceled: a key is made, and the SDK is refused"
        case .unheardof: "status resting, which nobody has heard of; its token is resting too"
        case .missingagreement: "not eligible: missing_agreement"
        case .unsupportedregion: "not eligible: unsupported_region"
        case .nocontact: "not eligible: missing_cardholder_contact; no e-mail and no phone"
        case .ratelimited: "ephemeral_keys answers 429 rate_limit, Retry-After 7"
        case .locked: "ephemeral_keys answers 429 lock_timeout"
        case .conflict: "ephemeral_keys answers 409 idempotency_key_in_use the first time, and then does its work"
        case .declined: "ephemeral_keys answers 402 card_error"
        case .forbidden: "every call answers 403: the key lacks a permission"
        case .error: "ephemeral_keys answers 500 api_error"
        case .finalerror: "ephemeral_keys answers 500 api_error with Stripe-Should-Retry: false"
        case .unavailable: "ephemeral_keys answers 503 with a proxy's HTML page"
        case .slow: "ephemeral_keys does its work, and answers after 30 s"
        case .lost: "ephemeral_keys does its work, and the connection is reset"
        case .reset: "ephemeral_keys does nothing, and the connection is reset"
        case .truncated: "ephemeral_keys does its work, and the answer is cut after 40 bytes"
        case .empty: "ephemeral_keys answers 200 without a body"
        case .garbled: "ephemeral_keys answers 200 with JSON that is none"
        case .oversize: "ephemeral_keys answers 200 with more than 256 KiB"
        case .expired: "the key has ended when it comes"
        case .yellow: "the token is requested: it waits for identity verification"
        case .notoken: "the SDK gets its payload, and no token ever appears"
        }
    }
}
