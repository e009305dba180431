import Crypto
import ProviderKit
import ProviderTesting
import SecretMemory
import Testing

struct PublicKeyTests {
    private let text = SecretBytes(utf8: "nonce")

    @Test func comesInEveryFormOfTheSameKey() throws {
        let key = try P256PrivateKey()
        let point = key.publicPoint
        #expect(point.count == 65)
        let pem = try OpenSSLCommand.text(["pkey", "-pubout"], input: Array(key.pem().reveal().utf8))
        let forms = try [
            PublicKey(p256Point: point), PublicKey(p256X: Array(point[1...32]), y: Array(point[33...])),
            PublicKey(der: key.publicKey.der), PublicKey(pem: pem),
        ]
        let signature = try key.signature(of: text)
        for form in forms {
            #expect(form.kind == .p256)
            #expect(form.p256Point == point)
            #expect(form.verifies(signature, of: text))
        }
    }

    @Test func takesAnRSAKeyByItsNumbers() throws {
        let pem = try TestKeys.rsa.get()
        let signature = try OpenSSLCryptography().signer(pem: SecretText(pem), algorithm: "RS256").signature(of: text)
        let printed = try OpenSSLCommand.text(["rsa", "-noout", "-modulus"], input: Array(pem.utf8))
        let modulus = bytes(String(printed.dropFirst("Modulus=".count)))
        let key = try PublicKey(rsaModulus: modulus, exponent: [1, 0, 1])
        #expect(key.kind == .rsa(bits: 2048))
        #expect(key.p256Point == nil)
        #expect(key.verifies(signature, of: text))
        #expect(!(try PublicKey(rsaModulus: modulus, exponent: [3]).verifies(signature, of: text)))
    }

    @Test func refusesOtherKeysTextsAndSignatures() throws {
        let key = try P256PrivateKey()
        let signature = try key.signature(of: text)
        #expect(key.publicKey.verifies(signature, of: text))
        #expect(!(try P256PrivateKey().publicKey.verifies(signature, of: text)))
        #expect(!key.publicKey.verifies(signature, of: SecretBytes([])))
        #expect(!key.publicKey.verifies([], of: text))
        #expect(!key.publicKey.verifies(Array(signature.dropLast()), of: text))
        for count in [0, 63, 64, 65] {
            #expect(!key.publicKey.verifiesJWT([UInt8](repeating: 1, count: count), of: text))
        }
    }

    @Test func refusesWhatIsNoKey() throws {
        var point = try P256PrivateKey().publicPoint
        point[64] ^= 1
        #expect(throws: CryptographyFailure.self) { try PublicKey(p256Point: point) }
        #expect(throws: CryptographyFailure.self) { try PublicKey(p256Point: [UInt8](repeating: 0, count: 65)) }
        #expect(throws: CryptographyFailure.self) { try PublicKey(p256Point: [4]) }
        #expect(throws: CryptographyFailure.self) { try PublicKey(p256X: [], y: []) }
        #expect(throws: CryptographyFailure.self) { try PublicKey(rsaModulus: [], exponent: [1, 0, 1]) }
        #expect(throws: CryptographyFailure.self) { try PublicKey(der: []) }
        #expect(throws: CryptographyFailure.self) { try PublicKey(der: P256PrivateKey().publicKey.der + [0]) }
        let p384 = try OpenSSLCommand.text(["pkey", "-pubout"], input: Array(TestKeys.p384.get().utf8))
        #expect(throws: CryptographyFailure("The public key is an EC key on secp384r1; P-256 or RSA is needed.")) {
            try PublicKey(pem: p384)
        }
        #expect(throws: CryptographyFailure("The public key text holds a PRIVATE KEY.")) {
            try PublicKey(pem: TestKeys.p256.get())
        }
    }
}
