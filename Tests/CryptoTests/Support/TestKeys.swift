import ProviderTesting
import SecretMemory

/// Keys that the `openssl` command made, once for the whole run.
enum TestKeys {
    static let rsa = Result { try make("RSA", "rsa_keygen_bits:2048") }
    static let shortRSA = Result { try make("RSA", "rsa_keygen_bits:1024") }
    static let p384 = Result { try make("EC", "ec_paramgen_curve:P-384") }
    static let p256 = Result { try make("EC", "ec_paramgen_curve:P-256") }

    /// A certificate that the RSA key signed for itself, PEM.
    static let rsaCertificate = Result { try certificate(for: rsa.get()) }

    static func certificate(for key: String) throws -> String {
        try OpenSSLCommand.text(
            ["req", "-new", "-x509", "-key", "key.pem", "-subj", "/C=FR/O=Test/CN=Envelope", "-days", "30"],
            files: ["key.pem": Array(key.utf8)])
    }

    private static func make(_ algorithm: String, _ option: String) throws -> String {
        try OpenSSLCommand.text(["genpkey", "-algorithm", algorithm, "-pkeyopt", option])
    }
}
