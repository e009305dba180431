import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing

private struct FakeKey: JWTSigning {
    let algorithm: String

    func signature(of bytes: SecretBytes) throws(CryptographyFailure) -> [UInt8] {
        guard algorithm != "broken" else { throw CryptographyFailure("The key could not sign.") }
        return [0xfb, UInt8(truncatingIfNeeded: bytes.count)]
    }
}

struct SigningTests {
    @Test func writesHeaderClaimsAndSignatureInTheirForm() throws {
        let signer = TokenSigner(keyID: "key-1", key: FakeKey(algorithm: "ES256"), namesType: true)
        let token = try signer.token { json in
            json.member("iss", "passgate")
            json.member("iat", 1_800_000_000)
        }
        let parts = token.reveal().split(separator: ".").map(String.init)
        let texts = parts.prefix(2).map { part in
            Base64.decode(SecretBytes(utf8: part), alphabet: .urlSafe)?.revealText()
        }
        #expect(texts == [#"{"typ":"JWT","alg":"ES256","kid":"key-1"}"#, #"{"iss":"passgate","iat":1800000000}"#])
        let signed = parts[0].utf8.count + 1 + parts[1].utf8.count
        #expect(
            Base64.decode(SecretBytes(utf8: parts[2]), alphabet: .urlSafe)
                == SecretBytes([0xfb, UInt8(truncatingIfNeeded: signed)]))
        #expect(!token.reveal().contains("="))
    }

    @Test func leavesTheTypeOutWhereItIsNotWanted() throws {
        let signer = TokenSigner(keyID: "k", key: FakeKey(algorithm: "RS256"), namesType: false)
        let header = try signer.token { _ in }.reveal().prefix { $0 != "." }
        #expect(
            Base64.decode(SecretBytes(utf8: header), alphabet: .urlSafe)?.revealText()
                == #"{"alg":"RS256","kid":"k"}"#)
    }

    @Test func passesAFailureOn() {
        let signer = TokenSigner(keyID: "k", key: FakeKey(algorithm: "broken"), namesType: false)
        #expect(throws: CryptographyFailure("The key could not sign.")) { try signer.token { _ in } }
    }
}

/// Takes every PEM text that is named after the algorithm.
private struct FakeCryptography: AdapterCryptography {
    let standIn = StandInCryptography()

    func signer(pem: SecretText, algorithm: String) throws(CryptographyFailure) -> any JWTSigning {
        guard pem == SecretText(algorithm) else { throw CryptographyFailure("This is another kind of key.") }
        return FakeKey(algorithm: algorithm)
    }

    func enveloper(certificate: SecretText, keyTransport: KeyTransport) throws(CryptographyFailure)
        -> any EnvelopeMaking
    { try standIn.enveloper(certificate: certificate, keyTransport: keyTransport) }

    func hmacSHA256(key: SecretBytes, _ bytes: [SecretBytes]) -> [UInt8] { standIn.hmacSHA256(key: key, bytes) }

    func sha256(_ bytes: [SecretBytes]) -> [UInt8] { standIn.sha256(bytes) }

    func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool { left == right }

    func random(_ count: Int) -> [UInt8] { standIn.random(count) }
}

struct SigningKeySettingTests {
    private func read(_ keys: [[(key: String, value: SettingValue)]]) -> (keyID: String?, problems: [String]) {
        let test = TestSettings(
            [("keys", .list(keys.map { .mapping($0) }))], files: ["good.pem": "ES256", "other.pem": "RS256"])
        let kit = AdapterKit.testing(ScriptedTransport(answers: []), cryptography: FakeCryptography())
        let settings = test.reader()
        let signer = settings.signingKey(algorithm: "ES256", namesType: true, kit: kit)
        settings.reportUnknownKeys()
        return (signer?.keyID, test.problems.map { $0.replacing("problem: connections.main.", with: "") })
    }

    @Test func takesTheActiveOne() {
        #expect(read([[("key_id", "a"), ("file", "good.pem")]]) == ("a", []))
        let two = read([
            [("key_id", "a"), ("file", "good.pem"), ("active", "false")],
            [("key_id", "b"), ("file", "good.pem"), ("active", "true")],
        ])
        #expect(two == ("b", []))
    }

    @Test func reportsEachProblemOnce() {
        #expect(read([]) == (nil, ["keys: needs at least one key"]))
        let none = read([[("key_id", "a"), ("file", "good.pem")], [("key_id", "b"), ("file", "good.pem")]])
        #expect(none == (nil, ["keys: needs exactly one key with active: true"]))
        let damaged = read([[("key_id", "a"), ("file", "other.pem"), ("active", "maybe")]])
        #expect(
            damaged
                == (
                    nil,
                    [
                        "keys[0].active: must be one of true, false", "keys[0].file: This is another kind of key.",
                    ]
                ))
        let twice = read([
            [("key_id", "a"), ("file", "good.pem"), ("active", "true")], [("key_id", "a"), ("file", "gone.pem")],
        ])
        #expect(twice == ("a", ["keys[1].file: gone.pem does not exist"]))
        let same = read([
            [("key_id", "a"), ("file", "good.pem"), ("active", "true")], [("key_id", "a"), ("file", "good.pem")],
        ])
        #expect(same == ("a", ["keys[1].key_id: is used by another key of the list"]))
    }
}
