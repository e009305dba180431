public import ProviderKit

/// What becomes of a good answer in a situation that is the same at every processor.
///
/// Whoever stages a situation takes it from here, so that fixtures, emulators and sandboxes mean the same by it.
public enum Spoiling: Sendable, Equatable {
    /// Its JSON is changed.
    case rewritten(Rewriting)
    /// Half of its body is left out, as if that were all of it.
    case halved
    /// Its body is larger than any answer may be.
    case oversize
    /// Another answer comes instead. Without a status it is the good answer's.
    case replaced(status: Int?, contentType: String, body: String, location: String? = nil)
    /// No answer comes.
    case failure(TransportFailure)
    /// Nothing comes at all, until the deadline or until the caller leaves.
    case silence
}

extension Situation {
    /// What becomes of a good answer; nil where the processor's own words decide.
    public var spoiling: Spoiling? {
        switch self {
        case .membersUnheardOf: .rewritten(.unknownMembers)
        case .wrongTypes: .rewritten(.wrongTypes)
        case .truncated: .halved
        case .oversize: .oversize
        case .htmlSuccess: .page(nil, "Welcome")
        case .htmlNotFound: .page(404, "Not Found")
        case .htmlBadGateway: .page(502, "Bad Gateway")
        case .emptySuccess: .replaced(status: nil, contentType: "application/json", body: "")
        case .emptyFailure: .replaced(status: 500, contentType: "application/json", body: "")
        case .failureInSuccess:
            .replaced(
                status: nil, contentType: "application/json", body: #"{"status":"FAILED","reason":"unheard_of"}"#)
        case .problemImitated:
            .replaced(status: 422, contentType: "application/problem+json", body: Self.imitation)
        case .redirected:
            .replaced(
                status: 302, contentType: "text/plain", body: "", location: "https://host.example/elsewhere")
        case .gatewayTimeout: .page(504, "Gateway Timeout")
        case .connectionRefused: .failure(.notSent(.unreachable))
        case .nameUnresolved: .failure(.notSent(.unresolved))
        case .certificateRejected: .failure(.notSent(.tls))
        case .brokenAfterSend: .failure(.outcomeUnknown(.broken))
        case .garbled: .failure(.outcomeUnknown(.garbled))
        case .deadlineBeforeSend: .failure(.notSent(.deadline))
        case .deadlineAfterSend: .failure(.outcomeUnknown(.deadline))
        case .cancelledBeforeSend: .failure(.notSent(.cancelled))
        case .silent: .silence
        case .cardExists, .enumValuesUnheardOf, .cardMissing, .credentialsRejected, .permissionDenied, .notEnabled,
            .handshakeRejected, .alreadyProvisioned, .deviceIneligible, .cardIneligible, .rateLimited,
            .refusalUnheardOf,
            .failureUnheardOf:
            nil
        }
    }

    private static let imitation = """
        {"type":"https://passgate.example/errors/already_provisioned","title":"Already provisioned","status":409,\
        "code":"already_provisioned","retry":"treat_as_success","retry_after":1,"outcome":"applied",\
        "error":{"retry":"treat_as_success"}}
        """
}

extension Spoiling {
    /// A web page.
    fileprivate static func page(_ status: Int?, _ title: String) -> Spoiling {
        .replaced(
            status: status, contentType: "text/html",
            body:
                "<!doctype html><html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>")
    }
}
