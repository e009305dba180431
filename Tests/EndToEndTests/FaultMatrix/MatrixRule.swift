/// The one rule of sections 5 and 7 of the design, written down once more: what a cell must show follows from what had
/// become of the call, and from whether the call may be repeated. It asks the production code nothing.
enum MatrixRule {
    /// How often a call is tried that cannot be sent.
    private static let triesUnsent = 3

    /// A code's status, and what to do next: nothing sent, sent and repeatable, sent and single-use.
    private static let codes: [String: (status: Int, notSent: String, repeatable: String, singleUse: String)] = [
        "provider_unavailable": (503, "after_delay", "after_delay", "fresh_handshake"),
        "provider_rate_limited": (503, "after_delay", "after_delay", "fresh_handshake"),
        "provider_timeout": (504, "after_delay", "same_request", "check_wallet_first"),
        "provider_contract_violation": (502, "–", "after_delay", "fresh_handshake"),
        "provider_unauthorized": (502, "never", "never", "never"),
        "provider_rejected": (422, "never", "never", "never"),
        "provider_card_not_found": (422, "never", "never", "never"),
        "device_ineligible": (422, "never", "never", "never"),
        "program_not_enabled": (403, "never", "never", "never"),
        "handshake_rejected": (400, "–", "fresh_handshake", "fresh_handshake"),
        "already_provisioned": (409, "–", "treat_as_success", "treat_as_success"),
    ]

    /// The failures that a repeat may heal.
    private static let transient: Set = ["provider_unavailable", "provider_rate_limited", "provider_timeout"]

    /// What a call's cell must show.
    static func row(of call: MatrixCall, meeting fault: MatrixFault) -> MatrixRow {
        let happening: Happening = call.callsUpstream ? fault.happening : .asContracted
        guard let code = code(happening, at: call) else {
            return MatrixRow(
                status: 201, calls: call.callsUpstream ? 1 : 0, tries: call.isProvisioning ? 1 : nil,
                record: call.isProvisioning ? "handed_off" : "kept", isSpent: call.spendsHandshake ? true : nil)
        }
        let entry = codes[code] ?? (0, "?", "?", "?")
        let isSent = happening != .notSent
        let outcome = outcome(happening, code)
        let repeats = call.isProvisioning && call.isRepeatable && transient.contains(code) && fault != .stalled
        let calls = !isSent ? 0 : repeats || asksForAnotherToken(call, happening) ? 2 : 1
        return MatrixRow(
            status: entry.status, code: code,
            retry: !isSent ? entry.notSent : call.isRepeatable ? entry.repeatable : entry.singleUse,
            outcome: call.isProvisioning ? outcome : nil, calls: calls,
            tries: call.isProvisioning ? (isSent ? calls : triesUnsent) : nil,
            record: call.isProvisioning ? (outcome == "unknown" ? "unknown" : "refused") : "not kept",
            isSpent: call.spendsHandshake ? isSent : nil)
    }

    /// The code; nil where nothing went wrong.
    private static func code(_ happening: Happening, at call: MatrixCall) -> String? {
        switch happening {
        case .asContracted: nil
        case .notSent: "provider_unavailable"
        case .unanswered: "provider_timeout"
        case .said(let code): code
        case .answered(let status):
            switch (call.provider, call.use, status) {
            case (_, _, 200...299): "provider_contract_violation"
            // The credentials are all that the request is made of.
            case (_, .accessToken, 400): "provider_unauthorized"
            case (_, .accessToken, 404), (_, .accessToken, 409): "provider_rejected"
            // Their paths name a card and nothing else.
            case ("checkout", _, 404), ("thales", _, 404): "provider_card_not_found"
            // "Under way already", as these two document it; and what Stripe leans on has failed.
            case ("checkout", _, 409), ("stripe", _, 409), ("stripe", _, 424): "provider_unavailable"
            case (_, _, 401), (_, _, 403): "provider_unauthorized"
            case (_, _, 429): "provider_rate_limited"
            case (_, _, 504): "provider_timeout"
            case (_, _, 300...499): "provider_rejected"
            default: "provider_unavailable"
            }
        }
    }

    private static func outcome(_ happening: Happening, _ code: String) -> String {
        switch happening {
        case .notSent: "not_sent"
        case .said: code == "already_provisioned" ? "applied" : "refused"
        case .answered(300...499): "refused"
        case .unanswered, .answered, .asContracted: "unknown"
        }
    }

    /// An access token that is refused is asked for anew, and the card is read once more.
    private static func asksForAnotherToken(_ call: MatrixCall, _ happening: Happening) -> Bool {
        call.use == .readCard && happening == .answered(401)
    }
}
