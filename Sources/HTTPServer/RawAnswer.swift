import CMicrohttpd
import SecretMemory

/// An answer as bytes, for what never became a request: the library has not seen it, so it cannot answer it.
struct RawAnswer {
    private let bytes: SecretBytes

    /// Spells the answer; the connection always closes after it.
    init(_ response: HTTPResponse) {
        var builder = SecretBuilder(capacity: 512 + response.body.count)
        let reason = MHD_get_reason_phrase_for(UInt32(clamping: response.status)).map { String(cString: $0) }
        builder.append("HTTP/1.1 \(response.status) \(reason ?? "")\r\nDate: \(Self.date())\r\nConnection: close\r\n")
        for (name, value) in response.headers where Self.isOurs(name) == false && Self.isSafe(name, value) {
            builder.append("\(name): \(value)\r\n")
        }
        builder.append("Content-Length: \(response.body.count)\r\n\r\n")
        builder.append(response.body)
        bytes = builder.finish()
    }

    /// Hands it to the kernel; false unless the kernel took all of it at once.
    func send(to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { buffer in
            passgate_send(descriptor, buffer.baseAddress, buffer.count) == buffer.count
        }
    }

    /// Whether the field is one that the server alone writes.
    static func isOurs(_ name: String) -> Bool {
        switch name.lowercased() {
        case "connection", "content-length", "date", "transfer-encoding": true
        default: false
        }
    }

    private static func isSafe(_ name: String, _ value: String) -> Bool {
        name.utf8.allSatisfy(FramingRules.isTokenByte) && value.utf8.allSatisfy(FramingRules.isValueByte)
    }

    private static func date() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 30) { text in
            text.initialize(repeating: 0)
            passgate_http_date(text.baseAddress)
            return text.baseAddress.map { String(cString: $0) } ?? ""
        }
    }
}
