import Gateway
import HTTPServer
import ProviderKit
import Provisioning
import SecretMemory

/// Makes answers of what they say.
enum Rendering {
    /// An answer without a body.
    static func empty(status: Int, headers: [(name: String, value: String)] = []) -> HTTPResponse {
        HTTPResponse(status: status, headers: headers)
    }

    /// An answer with a JSON body.
    static func json(
        status: Int = 200, capacity: Int = 1024, _ write: (inout JSONWriter) -> Void
    ) -> HTTPResponse {
        var json = JSONWriter(capacity: capacity)
        write(&json)
        return body(json.finish(), type: "application/json", status: status)
    }

    /// An answer with a body of any type.
    static func body(_ bytes: SecretBytes, type: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(status: status, headers: [(name: "Content-Type", value: type)], body: bytes)
    }

    /// A problem's answer.
    ///
    /// - Parameters:
    ///   - isProvisioning: Whether it answers a wish for a provisioning: then what is known of an effect is told, and
    ///     nothing was sent unless the problem says otherwise. Elsewhere there is no outcome.
    ///   - allow: The methods that the resource takes.
    static func problem(
        _ problem: Problem, publicURL: String, requestID: String, isProvisioning: Bool, allow: String? = nil
    ) -> HTTPResponse {
        var json = JSONWriter()
        json.problem(
            problem, publicURL: withoutSlash(publicURL), requestID: requestID,
            outcome: isProvisioning ? problem.outcome ?? .notSent : nil)
        var response = body(json.finish(), type: "application/problem+json", status: problem.code.entry.status)
        if problem.code == .unauthenticated {
            response.headers.append((name: "WWW-Authenticate", value: "Bearer"))
        }
        if problem.code == .methodNotAllowed, let allow { response.headers.append((name: "Allow", value: allow)) }
        if let seconds = problem.retryAfter {
            response.headers.append((name: "Retry-After", value: String(seconds)))
        }
        return response
    }

    /// An answer with what every answer has.
    static func answer(_ response: HTTPResponse, requestID: String) -> HTTPResponse {
        var response = response
        response.headers.append((name: "Request-Id", value: requestID))
        response.headers.append((name: "Cache-Control", value: "no-store"))
        return response
    }

    /// A base for URLs, without the slash that a configuration may end it with.
    static func withoutSlash(_ url: String) -> String { url.hasSuffix("/") ? String(url.dropLast()) : url }
}
