import Gateway
import HTTPServer
import SecretMemory

extension Facade {
    /// What the gateway says of its own API, for programs.
    func description(_ call: Call) -> HTTPResponse {
        let document = APIDescription(publicURL: Rendering.withoutSlash(call.gateway.directory.publicURL))
        return unlessKnown(call, tag: document.tag) {
            Rendering.body(SecretBytes(utf8: document.text), type: "application/json")
        }
    }

    /// The same for people.
    func reference(_ call: Call) -> HTTPResponse {
        let page = ReferencePage.shared
        var response = unlessKnown(call, tag: page.tag) {
            Rendering.body(SecretBytes(utf8: page.html), type: "text/html; charset=utf-8")
        }
        response.headers.append((name: "Content-Security-Policy", value: ReferencePage.policy))
        response.headers.append((name: "Referrer-Policy", value: "no-referrer"))
        response.headers.append((name: "X-Content-Type-Options", value: "nosniff"))
        return response
    }

    /// The content, or 304 where the caller's copy is the same.
    private func unlessKnown(_ call: Call, tag: String, _ make: () -> HTTPResponse) -> HTTPResponse {
        let isKnown = HeaderReader(request: call.request).isKnown(tag)
        var response = isKnown ? Rendering.empty(status: 304) : make()
        response.headers.append((name: "ETag", value: tag))
        return response
    }
}
