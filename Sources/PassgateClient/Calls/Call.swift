import Foundation

/// A call of the facade, before it is sent.
struct Call: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case post = "POST"
        case delete = "DELETE"
    }

    let method: Method
    /// The parts of the path, decoded.
    let path: [String]
    var query: [(name: String, value: String?)] = []
    var body: Data?
    var mediaType = "application/json"
    /// Whether the route takes an idempotency key.
    var takesKey = false
    /// Whether the route takes a deadline.
    var takesDeadline = false

    static func get(_ path: String..., query: [(name: String, value: String?)] = []) -> Call {
        Call(method: .get, path: path, query: query)
    }

    static func put(_ path: String..., body: some Encodable) throws(PassgateError) -> Call {
        Call(method: .put, path: path, body: try encode(body))
    }

    static func post(_ path: String..., body: some Encodable, takesKey: Bool = true) throws(PassgateError) -> Call {
        Call(method: .post, path: path, body: try encode(body), takesKey: takesKey)
    }

    /// A step that needs no body.
    static func post(_ path: String...) -> Call { Call(method: .post, path: path, takesKey: true) }

    static func delete(_ path: String...) -> Call { Call(method: .delete, path: path) }

    static func encode(_ body: some Encodable) throws(PassgateError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        do { return try encoder.encode(body) } catch { throw .notSendable("the body cannot be written as JSON") }
    }

    /// The path and query, percent-encoded.
    ///
    /// - Throws: `notSendable` where a part would change which path it is.
    func target() throws(PassgateError) -> String {
        if path.contains(where: { ["", ".", ".."].contains($0) }) {
            throw .notSendable("an id is empty, or a dot segment")
        }
        let parameters = query.compactMap { name, value in value.map { "\(name)=\(Self.escape($0))" } }
        return "/" + path.map(Self.escape).joined(separator: "/")
            + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }

    private static func escape(_ text: String) -> String {
        text.utf8.reduce(into: "") { escaped, byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
