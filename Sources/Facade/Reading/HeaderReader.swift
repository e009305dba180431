import Gateway
import HTTPServer
import Provisioning

/// Reads the header fields that mean something to the gateway.
struct HeaderReader {
    let request: HTTPRequest

    /// The caller's idempotency key, bare or quoted (as a structured field's string): 1 to 255 visible characters.
    func idempotencyKey() throws(Problem) -> String? {
        guard let value = try single("idempotency-key", named: "Idempotency-Key") else { return nil }
        let key = value.utf8.first == 0x22 ? Self.unquoted(value) : value
        guard let key, (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw Problem(
                .invalidRequest,
                detail: "The Idempotency-Key header must hold 1 to 255 visible ASCII characters, bare or in quotes.")
        }
        return key
    }

    /// How many milliseconds the caller waits. It can only lower the deadline, so what is beyond a day is a day.
    func deadlineMilliseconds() throws(Problem) -> Int? {
        guard let value = try single("passgate-deadline", named: "Passgate-Deadline") else { return nil }
        let isNumber = !value.isEmpty && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        let milliseconds = min(Int(value) ?? .max, 86_400_000)
        guard isNumber, milliseconds > 0 else {
            throw Problem(
                .invalidRequest,
                detail: "The Passgate-Deadline header must hold a positive whole number of milliseconds.")
        }
        return milliseconds
    }

    /// The program that the request names.
    func program() throws(Problem) -> String? { try single("passgate-program", named: "Passgate-Program") }

    /// Whether the body is of that type by its fields, in UTF-8, not compressed.
    func announces(_ media: Route.Media) -> Bool {
        var type: String?
        for (name, value) in request.headers where name == "content-type" {
            if type != nil { return false }
            type = value
        }
        guard let type, (request.header("content-encoding") ?? "identity").lowercased() == "identity" else {
            return false
        }
        if type == media.rawValue { return true }
        let parts = type.lowercased().split(separator: ";").map(Self.trimmed)
        guard parts.first == media.rawValue else { return false }
        return parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" }
    }

    /// Whether the caller would rather read a page than JSON.
    func prefersHTML() -> Bool {
        let accepted = (request.header("accept") ?? "").lowercased().split(separator: ",").map { range in
            let parts = range.split(separator: ";").map { Self.trimmed($0) }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return (type: parts.first ?? "", quality: quality)
        }
        func best(_ types: [String]) -> (place: Int, quality: Double)? {
            accepted.enumerated().filter { types.contains($0.element.type) && $0.element.quality > 0 }
                .map { (place: $0.offset, quality: $0.element.quality) }
                .max { ($0.quality, -$0.place) < ($1.quality, -$1.place) }
        }
        guard let html = best(["text/html"]) else { return false }
        guard let json = best(["application/json", "application/problem+json"]) else { return true }
        return html.quality == json.quality ? html.place < json.place : html.quality > json.quality
    }

    /// Whether `If-None-Match` names the entity tag, weak or strong, or every one.
    func isKnown(_ tag: String) -> Bool {
        let values = request.headers.filter { $0.name == "if-none-match" }.flatMap { $0.value.split(separator: ",") }
        return values.map(Self.trimmed).contains { $0 == "*" || $0 == tag || $0 == "W/\(tag)" }
    }

    /// The one value of a field. Fields that count must not be doubled.
    private func single(_ name: String, named shown: String) throws(Problem) -> String? {
        var found: String?
        for (field, value) in request.headers where field == name {
            if found != nil { throw Problem(.invalidRequest, detail: "The \(shown) header stands more than once.") }
            found = value
        }
        return found
    }

    /// What stands between the quotes; nil where they are not whole.
    private static func unquoted(_ value: String) -> String? {
        guard value.utf8.count >= 2, value.utf8.last == 0x22 else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in value.utf8.dropFirst().dropLast() {
            if isEscaped {
                guard byte == 0x22 || byte == 0x5c else { return nil }
                text.append(byte)
                isEscaped = false
            } else if byte == 0x5c {
                isEscaped = true
            } else if byte == 0x22 {
                return nil
            } else {
                text.append(byte)
            }
        }
        return isEscaped ? nil : String(decoding: text, as: UTF8.self)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}
