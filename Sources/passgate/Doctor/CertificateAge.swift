import Crypto
import ProviderKit
import Provisioning
import SecretMemory

/// How long certificates are good for.
enum CertificateAge {
    /// From how many days before its end a certificate is warned of.
    private static let warningDays: Int64 = 30

    /// A finding for each certificate of a text.
    ///
    /// - Parameter verdict: What one is that has ended.
    static func findings(_ subject: String, _ check: String, _ text: SecretText, whenEnded verdict: Finding.Verdict)
        -> [Finding]
    {
        let blocks = Certificate.blocks(of: text)
        let texts = blocks.isEmpty ? [text] : blocks
        return texts.enumerated().compactMap { index, text in
            guard let certificate = try? Certificate(text: text) else { return nil }
            let name = texts.count > 1 ? "certificate \(index + 1)" : "the certificate"
            return finding(subject, check, name, certificate, whenEnded: verdict)
        }
    }

    private static func finding(
        _ subject: String, _ check: String, _ name: String, _ certificate: Certificate,
        whenEnded verdict: Finding.Verdict
    ) -> Finding {
        let key =
            switch try? certificate.publicKey().kind {
            case .p256: ", key P-256"
            case .rsa(let bits): ", key RSA of \(bits) bits"
            case nil: ""
            }
        let left = certificate.notAfter.milliseconds - SystemClock().now.milliseconds
        let days = left / 86_400_000
        if left < 0 {
            return Finding(subject, check, verdict, "\(name) ended on \(certificate.notAfter.rfc3339)\(key)")
        }
        let words = "\(name) has \(days) \(days == 1 ? "day" : "days") left\(key)"
        return Finding(subject, check, days < warningDays ? .warning : .fine, words)
    }
}
