import Crypto
import ProviderKit
import ProviderTesting
import SecretMemory
import Testing

@Suite("A client's certificate and key belong together")
struct ClientIdentityTests {
    private func failure(_ certificate: String, _ key: String) throws -> String? {
        let certificate = try Certificate(text: SecretText(certificate))
        do throws(CryptographyFailure) {
            try ClientIdentity.check(certificate, key: SecretText(key))
            return nil
        } catch { return error.description }
    }

    @Test func aPairIsTakenWhateverTheKindOfKey() throws {
        for key in try [TestKeys.rsa.get(), TestKeys.p256.get(), TestKeys.p384.get()] {
            #expect(try failure(TestKeys.certificate(for: key), key) == nil)
        }
        let key = try OpenSSLCommand.text(["genpkey", "-algorithm", "ed25519"])
        #expect(try failure(TestKeys.certificate(for: key), key) == nil)
    }

    @Test func anotherKeyIsRefused() throws {
        let certificate = try TestKeys.rsaCertificate.get()
        #expect(try failure(certificate, TestKeys.p256.get()) == "The key is not the certificate's.")
        #expect(try failure(certificate, TestKeys.shortRSA.get()) == "The key is not the certificate's.")
    }

    @Test func whatIsNoKeyIsRefused() throws {
        let certificate = try TestKeys.rsaCertificate.get()
        #expect(try failure(certificate, certificate)?.contains("holds a certificate") == true)
        let damaged = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
        #expect(try failure(certificate, damaged)?.contains("damaged") == true)
    }
}
