import Crypto
import ProviderKit
import ProviderTesting
import SecretMemory
import Testing

struct EnvelopeTests {
    @Test(arguments: KeyTransport.allCases, ["{\"pan\":\"invented\"}", "", String(repeating: "x", count: 5_000)])
    func opensWithTheOpenSSLCommand(_ transport: KeyTransport, _ text: String) throws {
        let certificate = try TestKeys.rsaCertificate.get()
        let maker = try OpenSSLCryptography().enveloper(certificate: SecretText(certificate), keyTransport: transport)
        let envelope = try maker.envelope(SecretBytes(utf8: text)).reveal()
        let opened = try OpenSSLCommand.run(
            ["cms", "-decrypt", "-binary", "-inform", "DER", "-in", "envelope", "-inkey", "key.pem"],
            files: ["envelope": envelope, "key.pem": Array(TestKeys.rsa.get().utf8)])
        #expect(opened == Array(text.utf8))

        let printed = try OpenSSLCommand.text(
            ["cms", "-cmsout", "-print", "-inform", "DER", "-in", "envelope"], files: ["envelope": envelope])
        #expect(printed.contains("aes-256-cbc"))
        switch transport {
        case .oaepSHA256:
            #expect(printed.contains("rsaesOaep"))
            #expect(printed.components("sha256") == 2, "once for the hash, once for MGF1")
            #expect(printed.contains("mgf1"))
        case .pkcs1v15: #expect(printed.contains("rsaEncryption"))
        }
    }

    @Test func makesAnotherEnvelopeEveryTime() throws {
        let certificate = try SecretText(TestKeys.rsaCertificate.get())
        let maker = try OpenSSLCryptography().enveloper(certificate: certificate, keyTransport: .oaepSHA256)
        #expect(try maker.envelope(SecretBytes([1])) != maker.envelope(SecretBytes([1])))
    }

    @Test func doesNotOpenWithAnotherKey() throws {
        let certificate = try SecretText(TestKeys.rsaCertificate.get())
        let maker = try OpenSSLCryptography().enveloper(certificate: certificate, keyTransport: .oaepSHA256)
        let envelope = try maker.envelope(SecretBytes(utf8: "text")).reveal()
        let other = try OpenSSLCommand.run(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
        #expect(throws: OpenSSLCommand.Failure.self) {
            try OpenSSLCommand.run(
                ["cms", "-decrypt", "-inform", "DER", "-in", "envelope", "-inkey", "key.pem"],
                files: ["envelope": envelope, "key.pem": other])
        }
    }

    @Test func refusesCertificatesWithoutAnRSAKeyOfFullLength() throws {
        let sentence = "The certificate's key must be an RSA key of at least 2048 bits."
        for key in [try TestKeys.shortRSA.get(), try TestKeys.p256.get()] {
            let certificate = try SecretText(TestKeys.certificate(for: key))
            #expect(throws: CryptographyFailure(sentence)) {
                try OpenSSLCryptography().enveloper(certificate: certificate, keyTransport: .oaepSHA256)
            }
        }
        #expect(throws: CryptographyFailure.self) {
            try OpenSSLCryptography().enveloper(certificate: SecretText("nothing"), keyTransport: .pkcs1v15)
        }
    }
}

extension String {
    fileprivate func components(_ word: String) -> Int { ranges(of: word).count }
}
