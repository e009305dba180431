import Crypto
public import SecretMemory

/// A webhook as a processor sends it: its bytes, and the header fields that prove whose they are.
public struct EmulatedWebhook: Sendable {
    /// The header fields, the media type not among them.
    public let headers: [(name: String, value: String)]
    /// The body. What is signed is what is sent.
    public let body: SecretBytes

    /// Makes a webhook of its members.
    public init(headers: [(name: String, value: String)], body: SecretBytes) {
        self.headers = headers
        self.body = body
    }

    /// The HMAC-SHA256 of a text and a body after it, under the bytes of a secret.
    public static func code(_ secret: String, _ text: String, _ body: SecretBytes) -> SecretBytes {
        SecretBytes(HMACSHA256.code(key: SecretBytes(utf8: secret), of: [SecretBytes(utf8: text), body]))
    }

    /// The same in hexadecimal digits.
    public static func hexCode(_ secret: String, _ text: String, _ body: SecretBytes) -> String {
        Hexadecimal.encode(code(secret, text, body)).revealText() ?? ""
    }

    /// An id that begins with a prefix, as processors give their events.
    public static func newID(_ prefix: String) -> String {
        let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return prefix + String((0..<26).map { _ in digits[Int.random(in: 0..<digits.count)] })
    }
}
