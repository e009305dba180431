import Crypto
import ProviderKit
import ProviderTesting
import SecretMemory
import Testing

struct KeyTextTests {
    private func load(_ pem: String, _ algorithm: String = "ES256") throws(CryptographyFailure) {
        _ = try OpenSSLCryptography().signer(pem: SecretText(pem), algorithm: algorithm)
    }

    @Test func readsEveryFormOfAKey() throws {
        let pkcs8 = try TestKeys.p256.get()
        try load(pkcs8)
        try load(OpenSSLCommand.text(["ec"], input: Array(pkcs8.utf8)))
        try load(OpenSSLCommand.text(["ecparam", "-name", "prime256v1", "-genkey"]))
        let rsa = try TestKeys.rsa.get()
        try load(rsa, "RS256")
        try load(OpenSSLCommand.text(["rsa", "-traditional"], input: Array(rsa.utf8)), "RS256")
    }

    @Test func repairsWhatEnvironmentsAndEditorsDo() throws {
        let pem = try TestKeys.p256.get().trimmingSuffix("\n")
        let lines = pem.split(separator: "\n")
        for damaged in [
            pem, pem + "\n", "\n\n  " + pem + " \n\n", lines.joined(separator: "\\n"),
            lines.joined(separator: "\\n") + "\\n",
            lines.joined(separator: "\\r\\n"), lines.joined(separator: "\r"), lines.joined(separator: "\r\n"),
            "\"\(pem)\"", "'\(lines.joined(separator: "\\n"))\\n'", lines.map { $0 + "  \t" }.joined(separator: "\n"),
            lines.map { "    " + $0 }.joined(separator: "\n"), lines.joined(separator: "\n\n"),
            lines.joined(separator: " "), "Bag Attributes\n    localKeyID: 01\n" + pem,
        ] {
            try load(damaged)
        }
    }

    @Test func namesTheLineOfADamage() throws {
        let pem = try TestKeys.p256.get()
        let lines = pem.split(separator: "\n").map(String.init)
        func replacing(_ index: Int, _ line: String) -> String {
            var lines = lines
            lines[index] = line
            return lines.joined(separator: "\n")
        }
        let last = lines.count - 1
        let cases = [
            (
                replacing(0, "----BEGIN PRIVATE KEY-----"),
                "Line 1 of the key has a BEGIN marker with 4 dashes before it; there must be five."
            ),
            (
                replacing(0, "-----BEGIN PRIVATE KEY----"),
                "Line 1 of the key has a BEGIN marker with 4 dashes after it; there must be five."
            ),
            (
                replacing(0, "BEGIN PRIVATE KEY-----"),
                "Line 1 of the key has a BEGIN marker with 0 dashes before it; there must be five."
            ),
            (
                replacing(last, "----END PRIVATE KEY-----"),
                "Line \(last + 1) of the key has an END marker with 4 dashes before it; there must be five."
            ),
            (
                replacing(last, "-----END EC KEY-----"),
                "Line \(last + 1) of the key ends EC KEY, but PRIVATE KEY had begun."
            ),
            (
                replacing(last, "-----EDN PRIVATE KEY-----"),
                "Line \(last + 1) of the key is no marker; -----END …----- should stand there."
            ),
            (
                lines.dropLast().joined(separator: "\n"),
                "The key is cut short: there is no line -----END PRIVATE KEY-----."
            ),
            (replacing(2, "…" + lines[2]), "Line 3 of the key has a character that is not base64."),
            (
                replacing(1, String(lines[1].dropLast())),
                "The key is damaged: the lines before line \(last + 1) are not whole base64. Was a line lost or cut?"
            ),
            (lines[1], "The key is not PEM text: it has no line -----BEGIN …-----."),
            ("", "The key is empty."), ("\"\"", "The key is empty."),
            (
                "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----",
                "The key is damaged: the lines before line 2 are not whole base64. Was a line lost or cut?"
            ),
        ]
        for (text, sentence) in cases {
            #expect(throws: CryptographyFailure(sentence)) { try load(text) }
        }
    }

    @Test func namesWhatIsNoPrivateKey() throws {
        let pem = try TestKeys.p256.get()
        let input = Array(pem.utf8)
        let cases = try [
            (
                OpenSSLCommand.text(["pkey", "-pubout"], input: input),
                "The key is a public key; the private key is needed."
            ),
            (
                OpenSSLCommand.text(["pkcs8", "-topk8", "-v2", "aes256", "-passout", "pass:x"], input: input),
                "The key is encrypted; give it without a passphrase."
            ),
            (
                OpenSSLCommand.text(["ec", "-aes256", "-passout", "pass:x"], input: input),
                "The key is encrypted; give it without a passphrase."
            ),
            (TestKeys.rsaCertificate.get(), "The key text holds a certificate; the private key is needed."),
            (pem + pem, "The key text holds 2 PEM blocks; one private key is needed."),
            (
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
                "The key is damaged: its base64 is whole, but not of a private key."
            ),
        ]
        for (text, sentence) in cases {
            #expect(throws: CryptographyFailure(sentence)) { try load(text) }
        }
    }

    @Test func refusesAKeyWhoseHalvesDoNotBelongTogether() throws {
        func blocks(_ key: P256PrivateKey) throws -> [UInt8] {
            let lines = try key.pem().reveal().split(separator: "\n").dropFirst().dropLast()
            return try #require(Base64.decode(SecretBytes(utf8: lines.joined()))).reveal()
        }
        // The public point is the end of the PKCS#8 that OpenSSL writes.
        let one = try blocks(P256PrivateKey())
        let other = try blocks(P256PrivateKey())
        let mixed = Base64.encode(Array(one.dropLast(64) + other.suffix(64)))
        #expect(
            throws: CryptographyFailure("The key is damaged: its private and its public half do not belong together.")
        ) {
            try load("-----BEGIN PRIVATE KEY-----\n\(mixed)\n-----END PRIVATE KEY-----")
        }
    }

    @Test func neverQuotesTheText() throws {
        let lines = try TestKeys.p256.get().split(separator: "\n").map(String.init)
        for cut in 1..<lines.count {
            let text = lines[..<cut].joined(separator: "\n") + "\n!" + lines[cut...].joined(separator: "\n")
            do {
                try load(text)
                Issue.record("line \(cut + 1) is damaged, and nobody saw it")
            } catch {
                for line in lines where !line.hasPrefix("-") { #expect(!error.description.contains(line.prefix(8))) }
            }
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
