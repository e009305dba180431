import Foundation
import ProviderKit
import ProviderTesting

/// Keys that the `openssl` command made, once for the whole run, and files of them.
enum TestKeys {
    static let p256 = make(["ecparam", "-name", "prime256v1", "-genkey", "-noout"])
    static let otherP256 = make(["ecparam", "-name", "prime256v1", "-genkey", "-noout"])
    static let p384 = make(["ecparam", "-name", "secp384r1", "-genkey", "-noout"])
    static let rsa = make(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"])
    static let shortRSA = make(["genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"])

    /// The files that settings may name.
    static let files = [
        "p256.pem": p256, "other.pem": otherP256, "p384.pem": p384, "rsa.pem": rsa, "rsa1024.pem": shortRSA,
    ]

    /// The public half, in PEM.
    static func publicPEM(of key: String) throws -> String {
        try OpenSSLCommand.text(["pkey", "-in", "key.pem", "-pubout"], files: ["key.pem": Array(key.utf8)])
    }

    private static func make(_ arguments: [String]) -> String { (try? OpenSSLCommand.text(arguments)) ?? "" }
}
