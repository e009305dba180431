import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing

@testable import Crypto

struct EnvelopeOpeningTests {
    private static let key = Result { () throws(CryptographyFailure) in try RSAPrivateKey() }

    /// A certificate for the key, PEM.
    private func certificate(_ key: RSAPrivateKey) throws -> String {
        let start = Timestamp(seconds: 1_796_040_000)
        let end = start.adding(milliseconds: 86_400_000)
        return try CertificateAuthority.root(named: "Root", from: start, until: end)
            .issue(to: "Gateway", key: key.publicKey, from: start, until: end).pem
    }

    /// An envelope that the `openssl` command made.
    private func envelope(_ options: [String], cipher: String = "-aes-256-cbc") throws -> [UInt8] {
        let certificate = try certificate(Self.key.get())
        return try OpenSSLCommand.run(
            ["cms", "-encrypt", "-binary", "-outform", "DER", cipher, "-in", "text", "-recip", "certificate.pem"]
                + options.flatMap { ["-keyopt", $0] },
            files: ["text": Array("text".utf8), "certificate.pem": Array(certificate.utf8)])
    }

    private let oaep = ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha256"]

    @Test(arguments: KeyTransport.allCases, ["{\"pan\":\"invented\"}", ""])
    func opensWhatTheEnveloperMade(_ transport: KeyTransport, _ text: String) throws {
        let key = try Self.key.get()
        let maker = try OpenSSLCryptography().enveloper(
            certificate: SecretText(certificate(key)), keyTransport: transport)
        let opened = try key.open(envelope: maker.envelope(SecretBytes(utf8: text)))
        #expect(opened.content.revealText() == text)
        #expect(opened.keyTransport == transport)
    }

    @Test func opensWhatTheCommandMade() throws {
        let key = try Self.key.get()
        #expect(try key.open(envelope: SecretBytes(envelope(oaep))).keyTransport == .oaepSHA256)
        #expect(try key.open(envelope: SecretBytes(envelope([]))).keyTransport == .pkcs1v15)
    }

    /// T02: OAEP needs SHA-256 for the hash and for MGF1; what the check after making an envelope looks at.
    @Test(arguments: [
        ["rsa_padding_mode:oaep", "rsa_oaep_md:sha256", "rsa_mgf1_md:sha1"],
        ["rsa_padding_mode:oaep", "rsa_oaep_md:sha1", "rsa_mgf1_md:sha256"], ["rsa_padding_mode:oaep"],
    ])
    func t02OAEPWithSHA1AnywhereIsRefused(_ options: [String]) throws {
        let envelope = try envelope(options)
        let found = try #require(EnvelopeParameters(der: envelope))
        #expect(found != EnvelopeParameters(.oaepSHA256))
        #expect(throws: CryptographyFailure("The envelope has other algorithms than those that were agreed on.")) {
            try Self.key.get().open(envelope: SecretBytes(envelope))
        }
    }

    @Test func otherContentCiphersAreRefused() throws {
        for cipher in ["-aes-128-cbc", "-des3"] {
            let envelope = try envelope(oaep, cipher: cipher)
            #expect(throws: CryptographyFailure.self) { try Self.key.get().open(envelope: SecretBytes(envelope)) }
        }
    }

    @Test func whatIsNoEnvelopeOrIsForAnotherKeyIsRefused() throws {
        let whole = try envelope(oaep)
        for bytes in [[], [0x30], Array(whole.dropLast()), whole + [0], Array("text".utf8)] {
            #expect(throws: CryptographyFailure.self) { try Self.key.get().open(envelope: SecretBytes(bytes)) }
        }
        let other = try RSAPrivateKey()
        #expect(throws: CryptographyFailure("The envelope does not open with this key.")) {
            try other.open(envelope: SecretBytes(whole))
        }
    }

    @Test func aKeyIsWrittenSoThatItCanBeRead() throws {
        let key = try Self.key.get()
        let signer = try OpenSSLCryptography().signer(pem: key.pem(), algorithm: "RS256")
        let signature = try signer.signature(of: SecretBytes([1, 2, 3]))
        #expect(key.publicKey.verifiesJWT(signature, of: SecretBytes([1, 2, 3])))
        #expect(throws: CryptographyFailure.self) { try RSAPrivateKey(bits: 512) }
    }

    @Test func aCertificateIsWrittenSoThatItCanBeRead() throws {
        let pem = try certificate(Self.key.get())
        #expect(try Certificate(text: SecretText(pem)).pem == pem)
        let printed = try OpenSSLCommand.text(
            ["x509", "-noout", "-ext", "keyUsage", "-in", "c.pem"], files: ["c.pem": Array(pem.utf8)])
        #expect(printed.contains("Key Encipherment"))
    }
}
