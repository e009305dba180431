import Sandbox

/// What a card does by its id, without anything being set up.
enum MagicCard: String, CaseIterable {
    case ok
    case canceled
    case disabled
    case notenabled
    case nomethod
    case noaccess
    case otherenv
    case nocontact
    case ratelimited
    case error
    case unavailable
    case slow
    case lost
    case reset
    case truncated
    case empty
    case garbled
    case oversize
    case yellow
    case notoken
    case unheardof

    /// The card's id, or its beginning where more may follow.
    var id: String { "sandbox_card_\(rawValue)" }

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
        case .ok: "an active card; anything of [a-z0-9] may follow, each a card of its own"
        case .canceled: "status canceled: push_provision answers 409 invalid_operation_error"
        case .disabled: "status disabled: push_provision answers 409 invalid_operation_error"
        case .notenabled: "push_provision answers 403 private_feature_error"
        case .nomethod: "push_provision answers 404 api_method_not_found_error"
        case .noaccess: "every call answers 403 insufficient_permissions_error"
        case .otherenv: "every call answers 403 environment_mismatch_error"
        case .nocontact: "active, without e-mail and phone: identity verification has no way"
        case .ratelimited: "push_provision answers 429 rate_limited_error, retry_after 7"
        case .error: "push_provision answers 500 internal_server_error"
        case .unavailable: "push_provision answers 503 with a proxy's HTML page"
        case .slow: "push_provision does its work, and answers after 30 s"
        case .lost: "push_provision does its work, and the connection is reset"
        case .reset: "push_provision does nothing, and the connection is reset"
        case .truncated: "push_provision does its work, and the answer is cut after 40 bytes"
        case .empty: "push_provision answers 200 without a body"
        case .garbled: "push_provision answers 200 with JSON that is none"
        case .oversize: "push_provision answers 200 with more than 256 KiB"
        case .yellow: "the token is inactive: it waits for identity verification"
        case .notoken: "push_provision answers well, and no token ever appears"
        case .unheardof: "works, and its status and the pass's encryption_version are words that nobody has heard of"
        }
    }
}
