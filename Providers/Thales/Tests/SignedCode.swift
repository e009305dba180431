import Crypto
import JSON
import ProviderKit
import SecretMemory
import Testing

/// A code in its parts, its signature verified.
struct SignedCode {
    let header: JSONView
    let claims: JSONView
    let text: String

    init(_ token: SecretText) throws {
        text = token.reveal()
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { SecretBytes(utf8: $0) }
        try #require(parts.count == 3)
        let decoded = try parts.map { try #require(Base64.decode($0, alphabet: .urlSafe)) }
        header = try JSONParser().parse(decoded[0]).root
        claims = try JSONParser().parse(decoded[1]).root
        let signed = SecretBytes(utf8: text.dropLast(parts[2].count + 1))
        let signature = decoded[2].reveal()
        let key = try ThalesHarness.issuerKey.get()
        #expect(signature.count == 256 && key.publicKey.verifiesJWT(signature, of: signed))
    }
}
