import JSON
import ProviderConformance
public import ProviderKit
public import SecretMemory

/// What a processor was asked and what it answered, written by hand from its public page.
///
/// ```json
/// { "because": "what the file proves",
///   "request": { "method": "POST", "url": "https://…", "headers": { "Accept": "application/json" }, "body": {} },
///   "response": { "status": 200, "headers": {}, "body": {} },
///   "before": [ { "request": {}, "response": {} } ],
///   "secret_members": ["activation_data"] }
/// ```
///
/// An error that is no situation of the suite says what it `means`, as one of our codes.
/// A request's `body` is JSON, or `form` holds the fields of a form; `text` in a response is a body verbatim. `before` are
/// exchanges that come first, such as for an access token. A fixture without `request` takes that of `card_exists.json`.
public struct Fixture: Sendable {
    /// One exchange.
    public struct Exchange: Sendable {
        /// What is asked.
        public let request: RecordedRequest
        /// What is answered.
        public let response: UpstreamResponse
    }

    /// Its path, for messages.
    public let name: String
    /// What the file proves.
    public let because: String
    /// The code that the error means, where the file says so.
    public let means: String?
    /// The exchanges; the last is the one that the situation is about.
    public let exchanges: [Exchange]
    /// The texts of the answers' members named in `secret_members`, as they are and decoded.
    public let secrets: [String]
    /// The sentences of the answers: whatever else holds a space.
    public let sentences: [String]

    /// Reads a fixture.
    ///
    /// - Throws: ``FixtureFault``, which names the file and what is wrong.
    public init(name: String, _ bytes: SecretBytes, request fallback: RecordedRequest? = nil) throws(FixtureFault) {
        let root: JSONView
        do throws(JSONFault) {
            root = try JSONParser().parse(bytes).root
        } catch {
            throw FixtureFault("\(name): \(error.rawValue)")
        }
        guard let because = root["because"]?.string, because.count > 8 else {
            throw FixtureFault("\(name): `because` must say what the file proves")
        }
        self.name = name
        self.because = because
        means = root["means"]?.string
        var exchanges: [Exchange] = []
        var secrets: [String] = []
        var sentences: [String] = []
        let secretMembers = Set((root["secret_members"]?.elements ?? []).compactMap(\.string))
        for view in (root["before"]?.elements ?? []) + [root] {
            let exchange = try Self.exchange(view, name, fallback)
            exchanges.append(exchange)
            (try? JSONParser().parse(exchange.response.body))?.root.collectTexts { member, text in
                if secretMembers.contains(member) {
                    secrets.append(text)
                    if let decoded = Base64.decode(SecretBytes(utf8: text))?.revealText() { secrets.append(decoded) }
                } else if text.contains(" ") {
                    sentences.append(text)
                }
            }
        }
        self.exchanges = exchanges
        self.secrets = secrets
        self.sentences = sentences
    }

    private static func exchange(_ view: JSONView, _ name: String, _ fallback: RecordedRequest?) throws(FixtureFault)
        -> Exchange
    {
        guard let request = view["request"].map(RecordedRequest.init) ?? fallback else {
            throw FixtureFault("\(name): a request has method, url, headers, and body or form")
        }
        guard let response = view["response"], let status = response["status"]?.integer else {
            throw FixtureFault("\(name): a response has status, headers, and body or text")
        }
        let headers = (response["headers"]?.members ?? []).map { ($0.name.lowercased(), $0.value.string ?? "") }
        let body: SecretBytes
        if let text = response["text"]?.secretText {
            body = text.bytes
        } else if let view = response["body"] {
            body = view.rewritten()
        } else {
            body = SecretBytes([])
        }
        return Exchange(request: request, response: UpstreamResponse(status: status, headers: headers, body: body))
    }
}

/// A fixture cannot be used.
public struct FixtureFault: Error, Sendable, CustomStringConvertible {
    /// Which, and why.
    public let description: String

    init(_ description: String) { self.description = description }
}
