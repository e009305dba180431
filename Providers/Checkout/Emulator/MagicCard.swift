import Sandbox

/// What a card does by its id, without anything being set up.
enum MagicCard: String, CaseIterable {
    case ok
    case inactive
    case suspended
    case revoked
    case unheardof
    case foreign
    case yellow
    case stale
    case noaccess
    case notoken
    case conflict
    case ratelimited
    case error
    case unavailable
    case slow
    case reset
    case truncated
    case empty
    case garbled
    case oversize

    /// The card's id: as Checkout.com's are, 26 characters after the prefix.
    var id: String { CheckoutState.id("crd", rawValue) }

    /// The meaning of a card's id; nil where it has none.
    static func named(_ id: String) -> MagicCard? {
        let exact = allCases.first { $0.id == id }
        return exact ?? (id.hasPrefix("crd_ok") && CheckoutState.isID(id, "crd") ? .ok : nil)
    }

    /// Documents every id.
    static var documentation: [MagicID] { allCases.map { MagicID($0 == .ok ? "crd_ok…" : $0.id, $0.meaning) } }

    private var meaning: String {
        switch self {
        case .ok: "an active card; any of [a-z0-9] may follow, 26 in all after crd_, each a card of its own"
        case .inactive: "status inactive"
        case .suspended: "status suspended"
        case .revoked: "status revoked"
        case .unheardof: "a status that nobody has seen"
        case .foreign: "belongs to another cardholder"
        case .yellow: "active; D1 adds it, and it waits for identity verification"
        case .stale: "the first call for it answers 401 and ends the access token; the next one is served"
        case .noaccess: "every call answers 403: the scope is missing"
        case .notoken: "every call answers 401"
        case .conflict: "every call answers 409"
        case .ratelimited: "every call answers 429, Retry-After 7"
        case .error: "every call answers 500"
        case .unavailable: "every call answers 503 with a proxy's HTML page"
        case .slow: "every call answers after 30 s"
        case .reset: "every call's connection is reset"
        case .truncated: "every answer is cut after 40 bytes"
        case .empty: "every call answers 200 without a body"
        case .garbled: "every call answers 200 with JSON that is none"
        case .oversize: "every call answers 200 with more than 256 KiB"
        }
    }
}
