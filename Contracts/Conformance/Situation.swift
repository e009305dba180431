/// A state of the world upstream, named as its fixture is.
///
/// In the first group the processor's own words decide, so each provider writes a fixture for it or says why it has none.
/// The others are the same at every processor.
public enum Situation: String, Sendable, CaseIterable {
    /// All is well.
    case cardExists = "card_exists"
    /// All is well, and every open enum holds a value that nobody has seen.
    case enumValuesUnheardOf = "enum_values_unheard_of"
    /// The processor does not know the card.
    case cardMissing = "card_missing"
    /// The processor does not accept the connection's credentials.
    case credentialsRejected = "credentials_rejected"
    /// The credentials do not cover the call.
    case permissionDenied = "permission_denied"
    /// The program has no wallets.
    case notEnabled = "not_enabled"
    /// The handshake is spent, or of another device.
    case handshakeRejected = "handshake_rejected"
    /// The card is in the wallet already.
    case alreadyProvisioned = "already_provisioned"
    /// The device may not hold the card. Asked of provisioning alone.
    case deviceIneligible = "device_ineligible"
    /// The card is blocked. Asked for eligibility alone.
    case cardIneligible = "card_ineligible"
    /// Too many requests: wait 7 seconds.
    case rateLimited = "rate_limited"
    /// A 4xx with a code that nobody has seen.
    case refusalUnheardOf = "refusal_unheard_of"
    /// A 500 with a code that nobody has seen.
    case failureUnheardOf = "failure_unheard_of"

    /// All is well, and every object has members that nobody has seen.
    case membersUnheardOf = "members_unheard_of"
    /// A 2xx whose texts are numbers.
    case wrongTypes = "wrong_types"
    /// A 2xx cut in half.
    case truncated
    /// A 2xx that is larger than any answer may be.
    case oversize
    /// A 2xx that is a web page.
    case htmlSuccess = "html_success"
    /// A 404 that is a web page.
    case htmlNotFound = "html_not_found"
    /// A 502 that is a web page.
    case htmlBadGateway = "html_bad_gateway"
    /// A 2xx without a body.
    case emptySuccess = "empty_success"
    /// A 500 without a body.
    case emptyFailure = "empty_failure"
    /// A 2xx that says it failed, in no form that the processor describes.
    case failureInSuccess = "failure_in_success"
    /// A 422 whose body is one of our own problems.
    case problemImitated = "problem_imitated"
    /// A redirect.
    case redirected
    /// A 504.
    case gatewayTimeout = "gateway_timeout"
    /// No connection could be made.
    case connectionRefused = "connection_refused"
    /// The name did not resolve.
    case nameUnresolved = "name_unresolved"
    /// The certificate was not accepted.
    case certificateRejected = "certificate_rejected"
    /// The connection broke after the body had left.
    case brokenAfterSend = "broken_after_send"
    /// What came back is not HTTP.
    case garbled
    /// The deadline passed before anything was sent.
    case deadlineBeforeSend = "deadline_before_send"
    /// The deadline passed after the body had left.
    case deadlineAfterSend = "deadline_after_send"
    /// The caller left before anything was sent.
    case cancelledBeforeSend = "cancelled_before_send"
    /// Upstream takes the connection and stays silent.
    case silent

    /// Whether the processor's own words decide.
    public var isProcessorsOwn: Bool {
        switch self {
        case .cardExists, .enumValuesUnheardOf, .cardMissing, .credentialsRejected, .permissionDenied, .notEnabled,
            .handshakeRejected, .alreadyProvisioned, .deviceIneligible, .cardIneligible, .rateLimited,
            .refusalUnheardOf,
            .failureUnheardOf:
            true
        default: false
        }
    }
}
