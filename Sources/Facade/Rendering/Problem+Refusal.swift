import Gateway
import HTTPServer
import Provisioning

extension Problem {
    /// What a caller is told whose bytes never became a request.
    init(_ refusal: HTTPRefusal, bodyLimit: Int) {
        switch refusal {
        case .malformed: self.init(.invalidRequest, detail: "The request is not well-formed HTTP/1.1.")
        case .headersTooLarge: self.init(.headersTooLarge)
        case .payloadTooLarge: self.init(.payloadTooLarge, detail: "The body may have at most \(bodyLimit) bytes.")
        case .tooSlow: self.init(.invalidRequest, detail: "The request did not arrive in time.")
        case .draining: self.init(.overloaded, detail: "The gateway is shutting down.", retryAfter: 1)
        }
    }
}
