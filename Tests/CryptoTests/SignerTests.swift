import Crypto
import ProviderKit
import ProviderTesting
import SecretMemory
import Testing

struct SignerTests {
    private let cryptography = OpenSSLCryptography()

    /// Lengths differ in DER, where leading zeros are left out: none may be left out here.
    @Test func signsES256InSixtyFourBytesTenThousandTimes() throws {
        let key = try P256PrivateKey()
        let signer = try cryptography.signer(pem: key.pem(), algorithm: "ES256")
        #expect(signer.algorithm == "ES256")
        for round in 0..<10_000 {
            let text = SecretBytes(utf8: "header.\(round)")
            let signature = try signer.signature(of: text)
            guard signature.count == 64, key.publicKey.verifiesJWT(signature, of: text) else {
                Issue.record("signature \(round) does not verify or has \(signature.count) bytes")
                return
            }
        }
    }

    @Test func signsES256AsTheOpenSSLCommandReadsIt() throws {
        let pem = try TestKeys.p256.get()
        let signer = try cryptography.signer(pem: SecretText(pem), algorithm: "ES256")
        let text = SecretBytes(utf8: "eyJhbGciOiJFUzI1NiJ9.e30")
        let fixed = try signer.signature(of: text)
        let der = Self.der(fixed)
        let verdict = try OpenSSLCommand.text(
            ["dgst", "-sha256", "-prverify", "key.pem", "-signature", "signature", "text"],
            files: ["key.pem": Array(pem.utf8), "signature": der, "text": text.reveal()])
        #expect(verdict.contains("Verified OK"))
    }

    @Test func signsRS256AsTheOpenSSLCommandReadsIt() throws {
        let pem = try TestKeys.rsa.get()
        let signer = try cryptography.signer(pem: SecretText(pem), algorithm: "RS256")
        let text = SecretBytes(utf8: "eyJhbGciOiJSUzI1NiJ9.e30")
        let signature = try signer.signature(of: text)
        #expect(signer.algorithm == "RS256")
        #expect(signature.count == 256)
        let verdict = try OpenSSLCommand.text(
            ["dgst", "-sha256", "-prverify", "key.pem", "-signature", "signature", "text"],
            files: ["key.pem": Array(pem.utf8), "signature": signature, "text": text.reveal()])
        #expect(verdict.contains("Verified OK"))
        let publicPEM = try OpenSSLCommand.text(["pkey", "-pubout"], input: Array(pem.utf8))
        let key = try PublicKey(pem: publicPEM)
        #expect(key.kind == .rsa(bits: 2048))
        #expect(key.verifiesJWT(signature, of: text))
        #expect(!key.verifiesJWT(signature, of: SecretBytes(utf8: "eyJhbGciOiJSUzI1NiJ9.e31")))
        #expect(!key.verifiesJWT(Array(signature.dropLast()), of: text))
    }

    @Test func signsTheSameOnManyThreads() async throws {
        let key = try P256PrivateKey()
        let signer = try cryptography.signer(pem: key.pem(), algorithm: "ES256")
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<4 {
                let text = SecretBytes(utf8: "text \(task)")
                group.addTask {
                    (0..<100).allSatisfy { _ in
                        (try? signer.signature(of: text)).map { key.publicKey.verifiesJWT($0, of: text) } ?? false
                    }
                }
            }
            for await sound in group { #expect(sound) }
        }
    }

    @Test func refusesKeysThatDoNotFitTheAlgorithm() throws {
        let cases = try [
            (TestKeys.rsa.get(), "ES256", "ES256 needs an EC key on P-256; this is an RSA key of 2048 bits."),
            (TestKeys.p384.get(), "ES256", "ES256 needs an EC key on P-256; this is an EC key on secp384r1."),
            (TestKeys.p256.get(), "RS256", "RS256 needs an RSA key of at least 2048 bits; this is an EC key on P-256."),
            (
                TestKeys.shortRSA.get(), "RS256",
                "RS256 needs an RSA key of at least 2048 bits; this is an RSA key of 1024 bits."
            ),
            (TestKeys.p256.get(), "HS256", "The algorithm must be ES256 or RS256."),
            (TestKeys.p256.get(), "none", "The algorithm must be ES256 or RS256."),
        ]
        for (pem, algorithm, sentence) in cases {
            #expect(throws: CryptographyFailure(sentence)) {
                try cryptography.signer(pem: SecretText(pem), algorithm: algorithm)
            }
        }
    }

    /// The DER form, written out here so that the test does not use the module's own.
    private static func der(_ fixed: [UInt8]) -> [UInt8] {
        func integer(_ part: ArraySlice<UInt8>) -> [UInt8] {
            var digits = Array(part.drop { $0 == 0 })
            if digits.first ?? 0x80 >= 0x80 { digits.insert(0, at: 0) }
            return [2, UInt8(digits.count)] + digits
        }
        let body = integer(fixed[..<32]) + integer(fixed[32...])
        return [0x30, UInt8(body.count)] + body
    }
}
