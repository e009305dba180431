import ProviderConformance
import RawSockets

/// What a call meets: the way to the processor, or its answer.
enum MatrixFault: String, Sendable, CaseIterable {
    case none = "none"
    case refused = "connection refused"
    case resetBeforeRead = "reset before read"
    case resetAfterRead = "reset after read"
    case closedAfterRead = "closed after read"
    case stalled = "stall past deadline"
    case otherProtocol = "no HTTP"
    case cutBody = "body cut off"
    case cutHead = "head cut off"
    case status500 = "500 unknown"
    case status503 = "503 unknown"
    case status504 = "504"
    case status400 = "400 unknown"
    case status422 = "422 unknown"
    case status401 = "401"
    case status403 = "403 unknown"
    case status409 = "409 unknown"
    case status418 = "418"
    case status424 = "424"
    case status429 = "429"
    case redirect = "302"
    case cardMissing = "card missing"
    case permissionDenied = "permission denied"
    case notEnabled = "not enabled"
    case handshakeRejected = "handshake rejected"
    case alreadyProvisioned = "already there"
    case deviceIneligible = "device ineligible"
    case page200 = "HTML 200"
    case page404 = "HTML 404"
    case page502 = "HTML 502"
    case page520 = "HTML 520"
    case empty200 = "empty 200"
    case empty404 = "empty 404"
    case empty500 = "empty 500"
    case halfJSON = "truncated JSON"
    case otherShape = "JSON list"
    case large200 = "2 MB 200"
    case large404 = "2 MB 404"
    case large502 = "2 MB 502"
    case otherType = "other media type"
    case gzip200 = "gzip 200"
    case gzip503 = "gzip 503"
    case softFailure = "failure in 200"
    case doubledFields = "doubled fields"
    case doubledFields503 = "doubled fields 503"
    case imitation200 = "our problem in 200"
    case imitation422 = "our problem in 422"

    /// A word of every spoiled answer, that must reach nobody.
    static let canary = "upstream-canary"

    /// The processor's own situation that the emulator brings about; nil where the fault is the same everywhere.
    var situation: Situation? {
        switch self {
        case .cardMissing: .cardMissing
        case .permissionDenied: .permissionDenied
        case .notEnabled: .notEnabled
        case .handshakeRejected: .handshakeRejected
        case .alreadyProvisioned: .alreadyProvisioned
        case .deviceIneligible: .deviceIneligible
        default: nil
        }
    }

    /// Whether it happens while the request lies unread.
    var comesBeforeReading: Bool { self == .resetBeforeRead }

    /// What becomes of the call.
    var happening: Happening {
        switch self {
        case .none, .otherType, .doubledFields: .asContracted
        case .refused: .notSent
        case .resetBeforeRead, .resetAfterRead, .closedAfterRead, .stalled, .otherProtocol, .cutBody, .cutHead:
            .unanswered
        case .page200, .empty200, .halfJSON, .otherShape, .large200, .gzip200, .softFailure, .imitation200:
            .answered(200)
        case .status500, .empty500: .answered(500)
        case .status503, .gzip503, .doubledFields503: .answered(503)
        case .status504: .answered(504)
        case .status400: .answered(400)
        case .status422, .imitation422: .answered(422)
        case .status401: .answered(401)
        case .status403: .answered(403)
        case .page404, .empty404, .large404: .answered(404)
        case .status409: .answered(409)
        case .status418: .answered(418)
        case .status424: .answered(424)
        case .status429: .answered(429)
        case .redirect: .answered(302)
        case .page502, .large502: .answered(502)
        case .page520: .answered(520)
        case .cardMissing: .said("provider_card_not_found")
        case .permissionDenied: .said("provider_unauthorized")
        case .notEnabled: .said("program_not_enabled")
        case .handshakeRejected: .said("handshake_rejected")
        case .alreadyProvisioned: .said("already_provisioned")
        case .deviceIneligible: .said("device_ineligible")
        }
    }

    /// Does it to a connection. `good` asks the emulator.
    func act(on peer: Peer, good: () -> RawAnswer) {
        switch self {
        case .refused: break
        case .resetBeforeRead, .resetAfterRead: peer.reset()
        case .closedAfterRead: peer.close()
        case .stalled: peer.waitForEnd()
        case .otherProtocol:
            peer.write("SSH-2.0-\(Self.canary)\r\n")
            peer.close()
        case .cutBody:
            let answer = good()
            peer.write(answer.head(length: answer.body.count) + answer.body.prefix(answer.body.count / 2))
            peer.close()
        case .cutHead:
            peer.write(Array(good().head(length: 0).dropLast(6)))
            peer.close()
        default: peer.write((answer ?? spoiled(good())).bytes)
        }
    }

    /// The answer that comes instead; nil where the emulator's own comes, spoiled or not.
    private var answer: RawAnswer? {
        switch self {
        case .status500, .status503, .status400, .status422, .status403, .status409, .status418, .status424,
            .status429:
            guard case .answered(let status) = happening else { return nil }
            return RawAnswer(status, #"{"error":{"type":"unheard_of","message":"\#(Self.canary)"}}"#)
        case .status401: return RawAnswer(401, #"{"message":"\#(Self.canary)"}"#)
        case .status504: return RawAnswer(504, "")
        case .redirect:
            var answer = RawAnswer(302, "")
            answer.headers.append(("Location", "/\(Self.canary)"))
            return answer
        case .page200, .page404, .page502, .page520:
            guard case .answered(let status) = happening else { return nil }
            return RawAnswer(
                status, "<!doctype html><html><body><h1>\(Self.canary)</h1></body></html>", type: "text/html")
        case .empty200: return RawAnswer(200, "")
        case .empty404: return RawAnswer(404, "", type: nil)
        case .empty500: return RawAnswer(500, "")
        case .otherShape: return RawAnswer(200, #"["\#(Self.canary)"]"#)
        case .large404: return RawAnswer(404, Self.large)
        case .large502: return RawAnswer(502, Self.large)
        case .large200: return RawAnswer(200, Self.large)
        case .gzip503, .gzip200:
            var answer = RawAnswer(self == .gzip200 ? 200 : 503, "")
            answer.headers.append(("Content-Encoding", "gzip"))
            answer.body = Self.compressed
            return answer
        case .softFailure:
            return RawAnswer(200, #"{"status":"FAILED","reason":"unheard_of","message":"\#(Self.canary)"}"#)
        case .imitation200: return RawAnswer(200, Self.imitation, type: "application/problem+json")
        case .imitation422: return RawAnswer(422, Self.imitation, type: "application/problem+json")
        case .doubledFields503:
            var answer = RawAnswer(503, #"{"message":"\#(Self.canary)"}"#)
            answer.headers += [("Content-Type", "text/html"), ("Request-Id", "req_a"), ("Request-Id", "req_b")]
            return answer
        default: return nil
        }
    }

    private func spoiled(_ answer: RawAnswer) -> RawAnswer {
        var answer = answer
        switch self {
        case .halfJSON: answer.body = Array(answer.body.prefix(answer.body.count / 2))
        case .otherType:
            answer.headers.removeAll { $0.name.lowercased() == "content-type" }
            answer.headers.append(("Content-Type", "text/plain; charset=utf-8"))
        case .doubledFields:
            answer.headers += [("Content-Type", "text/html"), ("Request-Id", "req_a"), ("Request-Id", "req_b")]
        default: break
        }
        return answer
    }

    /// Two megabytes of JSON.
    private static let large = #"{"id":"\#(canary)","filling":""# + String(repeating: "x", count: 2_000_000) + #""}"#

    /// `{"id":"upstream-canary"}`, compressed.
    private static let compressed: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xab, 0x56, 0xca, 0x4c, 0x51, 0xb2, 0x52, 0x2a,
        0x2d, 0x28, 0x2e, 0x29, 0x4a, 0x4d, 0xcc, 0xd5, 0x4d, 0x4e, 0xcc, 0x4b, 0x2c, 0xaa, 0x54, 0xaa, 0x05, 0x00,
        0xfc, 0x0b, 0xfa, 0xcd, 0x18, 0x00, 0x00, 0x00,
    ]

    /// A problem of ours, as a gateway in front of the processor might answer it.
    private static let imitation = """
        {"type":"https://passgate.example/errors/already_provisioned","title":"\(canary)","status":409,\
        "detail":"\(canary)","code":"already_provisioned","retry":"treat_as_success","retry_after":1,\
        "outcome":"applied","request_id":"req_canary","provisioning":"prov_canary"}
        """
}
