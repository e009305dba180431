import Crypto
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing

struct CertificateTests {
    private static let start = Timestamp(seconds: 1_760_000_000)
    private static let end = Timestamp(seconds: 1_790_000_000)

    struct Chain {
        let root: CertificateAuthority, intermediate: CertificateAuthority, leaf: Certificate, key: P256PrivateKey

        init() throws {
            root = try .root(named: "Root", from: start, until: end)
            intermediate = try root.intermediate(named: "Intermediate", from: start, until: end)
            key = try P256PrivateKey()
            leaf = try intermediate.issue(to: "Device é", key: key.publicKey, from: start, until: end)
        }
    }

    @Test func readsWhatTheAuthorityIssued() throws {
        let chain = try Chain()
        let leaf = try Certificate(der: chain.leaf.der)
        #expect(leaf == chain.leaf)
        #expect(leaf.notBefore == Self.start)
        #expect(leaf.notAfter == Self.end)
        #expect(leaf.issuer == chain.intermediate.certificate.subject)
        #expect(leaf.subject != leaf.issuer)
        #expect(leaf.authorityKeyID == chain.intermediate.certificate.subjectKeyID)
        #expect(leaf.subjectKeyID?.count == 20)
        #expect(!leaf.isSelfIssued)
        #expect(chain.root.certificate.isSelfIssued)
        #expect(try leaf.publicKey().p256Point == chain.key.publicPoint)
    }

    /// OpenSSL does not take it either; a fuzzer found that we did.
    @Test func aNameThatIsNotConstructedIsNoDER() throws {
        let certificate = try Chain().leaf
        var der = certificate.der
        for name in [certificate.issuer, certificate.subject] {
            let start = try #require(der.firstRange(of: name)).lowerBound
            der[start] = 0x10
            #expect(throws: CryptographyFailure.self) { try Certificate(der: der) }
            der[start] = 0x30
        }
        #expect(try Certificate(der: der) == certificate)
    }

    @Test func tellsWhoIssuedWhom() throws {
        let chain = try Chain()
        let intermediate = chain.intermediate.certificate
        #expect(intermediate.issued(chain.leaf))
        #expect(chain.root.certificate.issued(intermediate))
        #expect(!chain.leaf.issued(intermediate))
        #expect(!chain.root.certificate.issued(chain.leaf))
        #expect(!chain.root.certificate.issued(chain.root.certificate))
        // Of the same name, but with another key.
        let other = try chain.root.intermediate(named: "Intermediate", from: Self.start, until: Self.end)
        #expect(other.certificate.subject == intermediate.subject)
        #expect(!other.certificate.issued(chain.leaf))
    }

    @Test func makesChainsThatOpenSSLTrusts() throws {
        let chain = try Chain()
        let files = try [
            "root.pem": chain.root.certificate.der, "intermediate.pem": chain.intermediate.certificate.der,
            "leaf.pem": chain.leaf.der,
        ].mapValues { der in try OpenSSLCommand.run(["x509", "-inform", "DER"], input: der) }
        let verdict = try OpenSSLCommand.text(
            [
                "verify", "-x509_strict", "-attime", "1770000000", "-CAfile", "root.pem", "-untrusted",
                "intermediate.pem", "leaf.pem",
            ], files: files)
        #expect(verdict.contains("leaf.pem: OK"))
    }

    @Test(arguments: ["rsa:2048", "ed25519"]) func readsCertificatesOfOtherKinds(_ kind: String) throws {
        let der = try OpenSSLCommand.run([
            "req", "-new", "-x509", "-newkey", kind, "-nodes", "-keyout", "key.pem", "-subj", "/C=US/O=Test/CN=Other",
            "-days", "40000", "-outform", "DER",
        ])
        let certificate = try Certificate(der: der)
        #expect(certificate.isSelfIssued)
        #expect(certificate.authorityKeyID == certificate.subjectKeyID)
        // Beyond 2049, in the longer form.
        #expect(certificate.notAfter > Timestamp(seconds: 4_000_000_000))
        if kind.hasPrefix("rsa") {
            #expect(try certificate.publicKey().kind == .rsa(bits: 2048))
        } else {
            #expect(throws: CryptographyFailure.self) { try certificate.publicKey() }
        }
    }

    @Test func readsCertificatesWithoutExtensions() throws {
        let key = try TestKeys.rsa.get()
        let request = try OpenSSLCommand.run(
            ["req", "-new", "-key", "key.pem", "-subj", "/CN=Old"], files: ["key.pem": Array(key.utf8)])
        let der = try OpenSSLCommand.run(
            ["x509", "-req", "-in", "request", "-signkey", "key.pem", "-days", "1", "-outform", "DER"],
            files: ["key.pem": Array(key.utf8), "request": request])
        let certificate = try Certificate(der: der)
        #expect(certificate.authorityKeyID == nil)
        #expect(certificate.isSelfIssued)
    }

    @Test func refusesEveryCutAndEverythingAfterIt() throws {
        let der = try Chain().leaf.der
        for count in 0..<der.count {
            #expect(throws: CryptographyFailure.self) { try Certificate(der: Array(der[..<count])) }
        }
        #expect(throws: CryptographyFailure.self) { try Certificate(der: der + [0]) }
        #expect(throws: CryptographyFailure.self) { try Certificate(der: der + der) }
    }

    /// Whatever a byte becomes, the reader answers: OpenSSL's reader must then agree about the ones it takes.
    @Test func standsAnyAlteredByte() throws {
        let chain = try Chain()
        for index in chain.leaf.der.indices {
            var altered = chain.leaf.der
            altered[index] ^= 0xff
            if let certificate = try? Certificate(der: altered) { #expect(certificate.der == altered) }
        }
    }

    @Test func refusesOtherDER() throws {
        let key = try P256PrivateKey().publicKey.der
        for der in [
            [], [0x30], [0x30, 0x00], [0x30, 0x80, 0x00, 0x00], [0x05, 0x00], key,
            [0x30, 0x84, 0xff, 0xff, 0xff, 0xff],
        ] {
            #expect(throws: CryptographyFailure.self) { try Certificate(der: der) }
        }
    }

    @Test func readsConfigurationTexts() throws {
        let pem = try TestKeys.rsaCertificate.get()
        let der = try OpenSSLCommand.run(["x509", "-outform", "DER"], input: Array(pem.utf8))
        let texts = [
            pem, Base64.encode(der), Base64.encode(Array(pem.utf8)), "\n" + pem.replacing("\n", with: "\r\n"),
            Base64.encode(der).chunked(64).joined(separator: "\n"), pem.replacing("\n", with: "\\n"),
        ]
        for text in texts { #expect(try Certificate(text: SecretText(text)).der == der) }
        for text in ["", "certificate", pem + pem, "AAAA", try TestKeys.rsa.get()] {
            #expect(throws: CryptographyFailure.self) { try Certificate(text: SecretText(text)) }
        }
    }
}

extension String {
    fileprivate func chunked(_ count: Int) -> [String] {
        let bytes = Array(utf8)
        return stride(from: 0, to: bytes.count, by: count).map {
            String(decoding: bytes[$0..<min($0 + count, bytes.count)], as: UTF8.self)
        }
    }
}
