import Crypto
import ProviderKit
import Provisioning
import SecretMemory

extension TransportReader {
    /// One or more certificates as PEM text, each read and looked at; nil where there are none or one is damaged.
    func readCertificates(_ key: String) -> SecretText? {
        guard let text = settings.secret(key, required: false) else { return nil }
        let blocks = Certificate.blocks(of: text)
        guard !blocks.isEmpty else {
            settings.problem(key, "must be certificates as PEM text; file:PATH reads them from a file")
            return nil
        }
        var isGood = true
        for (index, block) in blocks.enumerated() {
            do throws(CryptographyFailure) {
                let certificate = try Certificate(text: block)
                if certificate.notAfter < now {
                    settings.warning(key, "certificate \(index + 1) ended on \(certificate.notAfter.rfc3339)")
                }
            } catch {
                settings.problem(key, "certificate \(index + 1): \(error.description)")
                isGood = false
            }
        }
        return isGood ? text : nil
    }

    /// A private key as PEM text without a passphrase; nil where it is none.
    func readPrivateKey(_ key: String) -> SecretText? {
        guard let text = settings.secret(key, required: false) else { return nil }
        let pem = text.reveal()
        guard pem.contains("-----BEGIN "), pem.contains("PRIVATE KEY-----") else {
            settings.problem(key, "must be a private key as PEM text; file:PATH reads it from a file")
            return nil
        }
        guard !pem.contains("ENCRYPTED") else {
            settings.problem(key, "has a passphrase; give the key without one")
            return nil
        }
        return text
    }

    /// The key must be the first certificate's: a pair that does not fit would fail every call.
    func checkPair(_ certificates: SecretText, _ key: SecretText) {
        guard let leaf = Certificate.blocks(of: certificates).first else { return }
        do throws(CryptographyFailure) {
            try ClientIdentity.check(try Certificate(text: leaf), key: key)
        } catch {
            settings.problem("client_key", error.description)
        }
    }
}
