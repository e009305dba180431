import JSON
public import ProviderConformance
import ProviderKit
import SecretMemory

extension Replay {
    /// Plays a situation back: as the fixture shows it, or made from what a success looks like.
    public convenience init(_ fixture: Fixture, situation: Situation, success: Fixture) {
        let answer = success.exchanges.last?.response ?? .answer(200, "")
        self.init(fixture, ending: Ending(situation, success: answer))
    }
}

extension Replay.Ending {
    /// How a situation that is the same at every processor ends, given what a success looks like.
    init(_ situation: Situation, success: UpstreamResponse) {
        let half = success.body.reveal().prefix(success.body.count / 2)
        let view = (try? JSONParser().parse(success.body))?.root
        self =
            switch situation {
            case .membersUnheardOf: .success(success, view?.rewritten(.unknownMembers))
            case .wrongTypes: .success(success, view?.rewritten(.wrongTypes))
            case .truncated: .success(success, SecretBytes(half))
            case .oversize: .answer(.oversize(success.status))
            case .htmlSuccess: .answer(.html(success.status, "Welcome"))
            case .htmlNotFound: .answer(.html(404, "Not Found"))
            case .htmlBadGateway: .answer(.html(502, "Bad Gateway"))
            case .emptySuccess: .answer(.answer(success.status, ""))
            case .emptyFailure: .answer(.answer(500, ""))
            case .failureInSuccess: .answer(.answer(success.status, #"{"status":"FAILED","reason":"unheard_of"}"#))
            case .problemImitated: .answer(.answer(422, Self.imitation))
            case .redirected: .answer(.answer(302, "", headers: [("location", "https://host.example/elsewhere")]))
            case .gatewayTimeout: .answer(.html(504, "Gateway Timeout"))
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
                .handshakeRejected, .alreadyProvisioned, .cardIneligible, .rateLimited, .refusalUnheardOf,
                .failureUnheardOf:
                .recorded
            }
    }

    private static func success(_ success: UpstreamResponse, _ body: SecretBytes?) -> Self {
        .answer(UpstreamResponse(status: success.status, headers: success.headers, body: body ?? SecretBytes([])))
    }

    private static let imitation = """
        {"type":"https://passgate.example/errors/already_provisioned","title":"Already provisioned","status":409,\
        "code":"already_provisioned","retry":"treat_as_success","retry_after":1,"outcome":"applied",\
        "error":{"retry":"treat_as_success"}}
        """
}
