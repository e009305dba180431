import HTTPServer
import SecretMemory

/// A handler of closures, whose refusals name what was refused.
struct TestHandler: HTTPHandler {
    var policy: @Sendable (HTTPRequest) -> HTTPBodyPolicy = { _ in .collect(limit: 65_536) }
    var answer: @Sendable (HTTPRequest) async -> HTTPResponse

    func bodyPolicy(for head: HTTPRequest) -> HTTPBodyPolicy { policy(head) }
    func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request) }

    func refusal(_ refusal: HTTPRefusal) -> HTTPResponse {
        let (status, name) =
            switch refusal {
            case .malformed: (400, "malformed")
            case .headersTooLarge: (431, "headersTooLarge")
            case .payloadTooLarge: (413, "payloadTooLarge")
            case .tooSlow: (408, "tooSlow")
            case .draining: (503, "draining")
            }
        return .text("refused: \(name)", status: status)
    }

    /// Answers with the request's method, target and body.
    static let echo = TestHandler { request in
        let query = request.query.isEmpty ? "" : "?\(request.query)"
        return .text("\(request.method) \(request.path)\(query) \(request.body.revealText() ?? "")")
    }
}

extension HTTPResponse {
    /// An answer of text.
    static func text(_ text: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "text/plain")], body: SecretBytes(utf8: text))
    }

    /// The same answer, which tells what became of it.
    func telling(_ deliveries: Record<HTTPResponse.Delivery>) -> HTTPResponse {
        var response = self
        response.onDelivery = { deliveries.add($0) }
        return response
    }
}
