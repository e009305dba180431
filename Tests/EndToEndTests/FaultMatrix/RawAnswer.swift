import Sandbox
import SecretMemory

/// An answer of a processor as it goes over the wire, byte for byte.
struct RawAnswer: Sendable {
    var status: Int
    /// The header fields, doubled where they stand twice. The length is told besides.
    var headers: [(name: String, value: String)] = [("Content-Type", "application/json")]
    var body: [UInt8]

    /// An answer with a text as its body.
    init(_ status: Int, _ body: String, type: String? = "application/json") {
        self.status = status
        self.body = Array(body.utf8)
        headers = type.map { [("Content-Type", $0)] } ?? []
    }

    /// An emulator's own answer.
    init(_ answer: EmulatedResponse) {
        status = answer.status
        headers = answer.headers
        body = answer.body.reveal()
    }

    /// The head and the body.
    var bytes: [UInt8] { head(length: body.count) + body }

    /// A head that announces a body of that length.
    func head(length: Int) -> [UInt8] {
        let fields = headers + [("Content-Length", "\(length)")]
        return Array("HTTP/1.1 \(status) Status\r\n\(fields.map { "\($0.0): \($0.1)\r\n" }.joined())\r\n".utf8)
    }
}
