import Foundation

/// A certificate authority of the test's own, made by the `openssl` command in a folder that goes with it.
final class TestAuthority: Sendable {
    /// A certificate and its key, as files.
    struct Identity {
        let certificate: String
        let key: String

        func certificateText() throws -> String { try String(contentsOfFile: certificate, encoding: .utf8) }
        func keyText() throws -> String { try String(contentsOfFile: key, encoding: .utf8) }
    }

    let root: Identity
    /// The folder that goes with it.
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "/passgate-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        root = Identity(certificate: folder + "/root.pem", key: folder + "/root.key")
        try ServerCommand.run(
            "openssl",
            ["req", "-x509", "-subj", "/CN=Test authority", "-days", "2", "-out", root.certificate]
                + Self.newKey(root.key))
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Issues a certificate for a name; with negative days it has expired.
    func issue(_ name: String, days: Int = 2) throws -> Identity {
        let file = folder + "/" + UUID().uuidString
        let identity = Identity(certificate: file + ".pem", key: file + ".key")
        try ServerCommand.run(
            "openssl",
            ["req", "-new", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-out", file + ".csr"]
                + Self.newKey(identity.key))
        try ServerCommand.run(
            "openssl",
            [
                "x509", "-req", "-in", file + ".csr", "-CA", root.certificate, "-CAkey", root.key, "-CAcreateserial",
                "-copy_extensions", "copy", "-days", "\(days)", "-out", identity.certificate,
            ])
        return identity
    }

    /// Encrypts an identity's key with a passphrase.
    func encrypted(_ identity: Identity) throws -> Identity {
        let key = identity.key + ".encrypted"
        try ServerCommand.run("openssl", ["ec", "-in", identity.key, "-aes256", "-passout", "pass:word", "-out", key])
        return Identity(certificate: identity.certificate, key: key)
    }

    private static func newKey(_ file: String) -> [String] {
        ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", file]
    }
}
