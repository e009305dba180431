import Foundation
import ProviderKit
import ProviderTesting
import Testing

/// A JSON Web Token as another implementation reads it: Foundation for base64 and JSON, `openssl` for the signature.
struct ReadToken {
    let header: [String: Any]
    let claims: [String: Any]
    let signature: [UInt8]
    let signed: String

    init(_ token: SecretText) throws {
        let parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        header = try Self.object(parts[0])
        claims = try Self.object(parts[1])
        signature = Array(try Self.bytes(parts[2]))
        signed = "\(parts[0]).\(parts[1])"
    }

    /// A whole number that is written as one: neither a text, nor with a fraction or an exponent.
    func number(_ name: String) throws -> Int {
        let text = String(decoding: try Self.bytes(String(signed.split(separator: ".")[1])), as: UTF8.self)
        let digits = try #require(text.firstMatch(of: try Regex("\"\(name)\":([0-9]+)[,}]"))?.output[1].substring)
        let number = try #require(Int(digits))
        #expect((claims[name] as? NSNumber)?.intValue == number)
        return number
    }

    func text(_ name: String) -> String? { claims[name] as? String }

    /// Whether `openssl dgst` finds the signature to be that of the key in the PEM.
    func isSigned(by publicPEM: String) throws -> Bool {
        let isES256 = header["alg"] as? String == "ES256"
        let verdict = try? OpenSSLCommand.text(
            ["dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "signed"],
            files: [
                "public.pem": Array(publicPEM.utf8), "signature": isES256 ? Self.der(signature) : signature,
                "signed": Array(signed.utf8),
            ])
        return verdict?.contains("Verified OK") == true
    }

    /// r‖s as the two integers in DER that `openssl` reads.
    private static func der(_ fixed: [UInt8]) -> [UInt8] {
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(bytes.drop { $0 == 0 })
            if digits.first.map({ $0 > 0x7f }) ?? true { digits.insert(0, at: 0) }
            return [0x02, UInt8(digits.count)] + digits
        }
        let body = integer(fixed.prefix(32)) + integer(fixed.dropFirst(32))
        return [0x30, UInt8(body.count)] + body
    }

    private static func bytes(_ part: String) throws -> Data {
        #expect(!part.contains("="))
        let standard = part.replacing("-", with: "+").replacing("_", with: "/")
        return try #require(Data(base64Encoded: standard + String(repeating: "=", count: (4 - part.count % 4) % 4)))
    }

    private static func object(_ part: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: bytes(part)) as? [String: Any])
    }
}
