import Facade
import HTTPServer
import JSON
import ProviderKit
import Provisioning
import SecretMemory

/// A request: a line with method and target, header fields, an empty line, the body. A key that may do everything and, with
/// a body, its media type are added where they are not there.
struct RequestCheck: Sendable {
    private let house: ClosedGateway

    init() async throws { house = try await ClosedGateway() }

    func check(_ input: [UInt8]) async throws(BrokenPromise) {
        let parts = SplitInput(input)
        guard let request = Self.request(parts, body: parts.body) else { return }
        if case .refuse(let response) = house.facade.bodyPolicy(for: request) {
            return try judge(response, of: request)
        }
        let response = await house.facade.respond(to: request)
        response.onDelivery?(.written)
        try judge(response, of: request)
        try await compare(response, parts)
    }

    /// The same in the canonical form of its body is answered alike.
    private func compare(_ response: HTTPResponse, _ parts: SplitInput) async throws(BrokenPromise) {
        guard let body = try? JSONParser().parse(SecretBytes(parts.body)).root, body.kind == .object,
            !parts.words.contains(where: { $0.contains("/inbound/") })
        else { return }
        let canonical = body.canonical
        let again = try? JSONParser().parse(canonical).root
        try promise(again?.canonical == canonical, "the canonical form of a body has another canonical form")
        guard body.duplicateMembers.isEmpty, canonical.count <= ClosedGateway.limit,
            parts.body.count <= ClosedGateway.limit,
            let request = Self.request(parts, body: canonical.reveal())
        else { return }
        let twin = await house.facade.respond(to: request)
        try promise(
            twin.status == response.status && Self.meaning(of: twin) == Self.meaning(of: response),
            "the canonical form of a body is answered \(twin.status) \(Self.meaning(of: twin)), the body itself "
                + "\(response.status) \(Self.meaning(of: response))")
    }

    /// What an answer says, in one order: the facade tells faults in the order of the members.
    private static func meaning(of response: HTTPResponse) -> [String] {
        guard let answer = try? JSONParser().parse(response.body).root else { return [] }
        let faults = (answer["errors"]?.elements ?? []).compactMap { $0.canonical.revealText() }
        // Of more than are listed, others may be listed.
        return [answer["code"]?.string ?? ""] + (faults.count < 32 ? faults.sorted() : [])
    }

    private func judge(_ response: HTTPResponse, of request: HTTPRequest) throws(BrokenPromise) {
        try promise((200...599).contains(response.status), "a status \(response.status)")
        try promise(response.headers.contains { $0.name == "Request-Id" }, "an answer without its id")
        for field in response.headers {
            let isClean = field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
            try promise(isClean, "a header field \(field.name) with a control character")
        }
        guard response.status >= 400 else { return }
        guard let problem = try? JSONParser().parse(response.body).root else {
            throw BrokenPromise("a refusal that is no JSON")
        }
        guard let code = problem["code"]?.string.flatMap({ ProblemCode(rawValue: $0) }) else {
            throw BrokenPromise("a refusal without a code of the catalogue")
        }
        try promise(code != .internalError, "an internal error")
        try promise(problem["status"]?.integer == response.status, "a refusal with two statuses")
        let faults = problem["errors"]?.elements ?? []
        for fault in faults {
            let pointer = fault["pointer"]?.string
            try promise(pointer.map { $0.isEmpty || $0.hasPrefix("/") } ?? false, "a fault at no pointer")
            try promise(fault["detail"]?.string?.isEmpty == false, "a fault without words")
        }
        if code == .invalidRequest {
            try promise(!faults.isEmpty || problem["detail"]?.string != nil, "a refusal that names nothing")
        }
        try checkSilence(of: response, about: request)
    }

    /// No value of the request, and no key, is in a refusal. Names of members may be: a value that is also a name is let be.
    private func checkSilence(of response: HTTPResponse, about request: HTTPRequest) throws(BrokenPromise) {
        guard let text = response.body.revealText() else { throw BrokenPromise("a refusal that is no text") }
        try promise(!text.contains(ClosedGateway.key), "a refusal holds the key")
        guard let body = try? JSONParser().parse(request.body).root else { return }
        var names: [UInt8] = []
        var values: [[UInt8]] = []
        Self.collect(body, &names, &values)
        for value in values {
            guard let echo = Echo.find(of: value, in: text), Echo.find(of: names, in: echo) == nil,
                !request.path.contains(echo), !request.query.contains(echo)
            else { continue }
            throw BrokenPromise("a refusal quotes \(echo)")
        }
    }

    private static func collect(_ view: JSONView, _ names: inout [UInt8], _ values: inout [[UInt8]]) {
        for (name, value) in view.members ?? [] {
            names += name.utf8
            collect(value, &names, &values)
        }
        for element in view.elements ?? [] { collect(element, &names, &values) }
        if let text = view.secretText { values.append(text.bytes.reveal()) }
    }

    private static func request(_ parts: SplitInput, body: [UInt8]) -> HTTPRequest? {
        guard parts.words.count == 2 else { return nil }
        let target = parts.words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var fields = parts.fields
        let names = Set(fields.map(\.name))
        if !names.contains("authorization") { fields.append(("authorization", "Bearer \(ClosedGateway.key)")) }
        if !body.isEmpty, !names.contains("content-type") { fields.append(("content-type", "application/json")) }
        return HTTPRequest(
            method: String(parts.words[0]), path: target.first.map(String.init) ?? "/",
            query: target.count > 1 ? String(target[1]) : "", headers: fields, body: SecretBytes(body))
    }
}
