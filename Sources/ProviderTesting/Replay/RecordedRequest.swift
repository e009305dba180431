import JSON
import ProviderConformance
import ProviderKit
import SecretMemory

/// A request as a fixture shows it. It is compared whole: strict in what we send.
public struct RecordedRequest: Sendable {
    let method: String
    let url: String
    let headers: [String: String]
    let body: JSONView?
    let form: [String: String]?

    init(_ view: JSONView) {
        method = view["method"]?.string ?? ""
        url = view["url"]?.string ?? ""
        headers = Self.pairs(of: view["headers"], lowercased: true)
        body = view["body"]
        form = view["form"].map { Self.pairs(of: $0, lowercased: false) }
    }

    /// Whether it is a call of the same path.
    func isAddressed(like request: UpstreamRequest) -> Bool { method == request.method.rawValue && url == request.url }

    /// In what the request differs from this one. It quotes values: they are invented.
    func differences(from request: UpstreamRequest) -> [String] {
        var found: [String] = []
        if !isAddressed(like: request) {
            found.append("sent \(request.method.rawValue) \(request.url) instead of \(method) \(url)")
        }
        let sent = request.headers.map { ($0.name.lowercased(), $0.value.reveal()) }
        for (name, value) in sent where headers[name] != value {
            found.append("sent the header \(name): \(value) instead of \(headers[name] ?? "none")")
        }
        for name in headers.keys.sorted() {
            let count = sent.filter { $0.0 == name }.count
            if count != 1 { found.append("sent the header \(name) \(count) times") }
        }
        if let form {
            let fields = Self.fields(of: request.body)
            if fields != form { found.append("sent the form \(fields ?? [:]) instead of \(form)") }
        } else {
            let json = request.body.flatMap { try? JSONParser().parse($0).root }
            let isEqual = json?.canonical == body?.canonical && (request.body == nil) == (body == nil)
            if !isEqual {
                let shown = request.body?.revealText() ?? "none"
                found.append("sent the body \(shown) instead of \(body?.rewritten().revealText() ?? "none")")
            }
        }
        return found
    }

    private static func pairs(of view: JSONView?, lowercased: Bool) -> [String: String] {
        let members = (view?.members ?? []).map { (lowercased ? $0.name.lowercased() : $0.name, $0.value.string ?? "") }
        return Dictionary(members) { first, second in "\(first), \(second)" }
    }

    /// The fields of a form; nil where it is none, or a field stands twice.
    private static func fields(of body: SecretBytes?) -> [String: String]? {
        guard let text = body?.revealText() else { return nil }
        var fields: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = decoded(parts[0]), let value = decoded(parts[1]) else { return nil }
            guard fields.updateValue(value, forKey: name) == nil else { return nil }
        }
        return fields
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case 0x2b: bytes.append(0x20)
            case 0x25:
                let digits = String(Substring(rest.prefix(2)))
                guard digits.utf8.count == 2, let value = UInt8(digits, radix: 16) else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
