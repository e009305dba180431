import Crypto
import ProviderKit
import ProviderTesting
import SecretMemory
import Testing

struct KeyAgreementTests {
    @Test func bothSidesAgree() throws {
        let (one, other) = (try P256PrivateKey(), try P256PrivateKey())
        let secret = try one.sharedSecret(with: other.publicKey)
        #expect(secret.count == 32)
        #expect(try other.sharedSecret(with: PublicKey(p256Point: one.publicPoint)) == secret)
        #expect(try one.sharedSecret(with: P256PrivateKey().publicKey) != secret)
    }

    @Test func agreesWithTheOpenSSLCommand() throws {
        let (one, other) = (try P256PrivateKey(), try P256PrivateKey())
        let printed = try OpenSSLCommand.run(
            ["pkeyutl", "-derive", "-inkey", "key.pem", "-peerform", "DER", "-peerkey", "peer.der"],
            files: ["key.pem": one.pem().bytes.reveal(), "peer.der": other.publicKey.der])
        #expect(try one.sharedSecret(with: other.publicKey) == SecretBytes(printed))
    }

    /// SEC 1, 3.6.1, and NIST SP 800-56A, 5.8.1: both hash a counter of 32 bits from 1, at different places.
    @Test(arguments: [1, 16, 32, 33, 80], [[], [1, 2, 3]] as [[UInt8]])
    func derivesByTheDefinitions(_ count: Int, _ info: [UInt8]) throws {
        let secret = SecureRandom.secret(32)
        let counters = (1...3).map { [0, 0, 0, UInt8($0)] as [UInt8] }
        let x963 = counters.flatMap { SHA256.digest(of: secret.reveal() + $0 + info) }
        let concat = counters.flatMap { SHA256.digest(of: $0 + secret.reveal() + info) }
        #expect(try KeyAgreement.x963(secret, sharedInfo: info, count: count) == SecretBytes(x963.prefix(count)))
        #expect(try KeyAgreement.concat(secret, otherInfo: info, count: count) == SecretBytes(concat.prefix(count)))
    }

    @Test func refusesWhatCannotAgree() throws {
        let key = try P256PrivateKey()
        let rsa = try PublicKey(rsaModulus: [UInt8](repeating: 0xff, count: 256), exponent: [1, 0, 1])
        #expect(throws: CryptographyFailure.self) { try key.sharedSecret(with: rsa) }
        #expect(throws: CryptographyFailure.self) { try KeyAgreement.x963(SecretBytes([]), sharedInfo: [], count: 32) }
        #expect(throws: CryptographyFailure.self) { try KeyAgreement.concat(SecretBytes([1]), otherInfo: [], count: 0) }
    }
}
