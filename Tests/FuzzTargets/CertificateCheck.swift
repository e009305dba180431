import Crypto
import ProviderKit
import Provisioning
import SecretMemory

/// A certificate or a key, in DER, PEM, base64 of DER or base64 of PEM.
struct CertificateCheck: Sendable {
    private let cryptography = OpenSSLCryptography()
    private let authority: Certificate

    init() throws {
        let start = Timestamp(seconds: 1_796_040_000)
        authority = try CertificateAuthority.root(
            named: "Invented Root", from: start, until: start.adding(milliseconds: 86_400_000)
        ).certificate
    }

    func check(_ input: [UInt8]) async throws(BrokenPromise) {
        let text = SecretText(utf8: SecretBytes(input))
        let certificates = try [
            read(input) { () throws(CryptographyFailure) in try Certificate(der: input) },
            text.flatMap { text throws(BrokenPromise) in
                try read(input) { () throws(CryptographyFailure) in try Certificate(text: text) }
            },
        ]
        for case .some(let certificate) in certificates { try check(certificate) }
        if let key = try read(input, { () throws(CryptographyFailure) in try PublicKey(der: input) }) { try check(key) }
        guard let text else { return }
        if let key = try read(input, { () throws(CryptographyFailure) in try PublicKey(pem: text.reveal()) }) {
            try check(key)
        }
        for algorithm in ["ES256", "RS256"] { try checkSigner(text, algorithm, input) }
        _ = try read(input) { () throws(CryptographyFailure) in
            try cryptography.enveloper(certificate: text, keyTransport: .oaepSHA256)
        }
        _ = try read(input) { () throws(CryptographyFailure) in try ClientIdentity.check(authority, key: text) }
    }

    private func check(_ certificate: Certificate) throws(BrokenPromise) {
        let again = try? Certificate(text: SecretText(certificate.pem))
        try promise(again == certificate, "a certificate is another one as PEM")
        try promise(!certificate.issued(certificate), "a certificate issued itself")
        try promise(
            [certificate.issuer, certificate.subject, certificate.publicKeyInfo].allSatisfy { $0.first == 0x30 },
            "a name or a key is no sequence")
        _ = certificate.issued(authority)
        _ = authority.issued(certificate)
        if let key = try read(certificate.der, { () throws(CryptographyFailure) in try certificate.publicKey() }) {
            try check(key)
        }
    }

    private func check(_ key: PublicKey) throws(BrokenPromise) {
        let again = try? PublicKey(der: key.der)
        try promise(again?.der == key.der && again?.kind == key.kind, "a public key is another one as DER")
        try promise(!key.verifiesJWT([], of: SecretBytes(utf8: "text")), "no signature is a signature")
    }

    private func checkSigner(_ text: SecretText, _ algorithm: String, _ input: [UInt8]) throws(BrokenPromise) {
        let signer = try read(input) { () throws(CryptographyFailure) in
            try cryptography.signer(pem: text, algorithm: algorithm)
        }
        guard let signer else { return }
        try promise(signer.algorithm == algorithm, "a signer of another algorithm")
        let signature = try read(input) { () throws(CryptographyFailure) in
            try signer.signature(of: SecretBytes(utf8: "text"))
        }
        if algorithm == "ES256", let signature {
            try promise(signature.count == 64, "a signature of \(signature.count) bytes")
        }
    }

    /// What the reading gives; nil where it refuses, in words that hold nothing of the input.
    private func read<Value>(_ input: [UInt8], _ reading: () throws(CryptographyFailure) -> Value)
        throws(BrokenPromise) -> Value?
    {
        do throws(CryptographyFailure) { return try reading() } catch {
            try promise(!error.description.isEmpty, "a refusal without words")
            let echo = Echo.find(of: input, in: error.description)
            try promise(echo == nil, "a refusal quotes \(echo ?? "")")
            return nil
        }
    }
}
