import HTTPServer
import JSON
import ProviderKit
import SecretMemory

/// An answer as a test looks at it.
struct Answer: Sendable {
    let status: Int
    let headers: [(name: String, value: String)]
    let text: String

    init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        text = response.body.revealText() ?? ""
    }

    /// The body as JSON; nil where it is none.
    var json: JSONView? { try? JSONParser().parse(SecretBytes(utf8: text)).root }

    /// The problem's code.
    var code: String? { json?["code"]?.string }

    /// The pointers of the members at fault.
    var pointers: [String] { json?["errors"]?.elements?.compactMap { $0["pointer"]?.string } ?? [] }

    /// What is said of the members at fault.
    var details: [String] { json?["errors"]?.elements?.compactMap { $0["detail"]?.string } ?? [] }

    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
