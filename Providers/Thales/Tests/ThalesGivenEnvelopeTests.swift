import Crypto
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing
import ThalesProvider

@Suite("An envelope that the platform made itself")
struct ThalesGivenEnvelopeTests {
    private static let pointer = "/thales/encrypted_payload"

    private func envelope() throws -> SecretBytes {
        try OpenSSLCryptography().enveloper(
            certificate: SecretText(ThalesHarness.certificate), keyTransport: .oaepSHA256
        ).envelope(SecretBytes(utf8: "{}"))
    }

    private func hex() throws -> String { Hexadecimal.encode(try envelope()).revealText() ?? "" }

    private func handedOn(_ given: String, form: SettingValue = "hex") async throws -> String {
        let transport = ScriptedTransport(answers: [])
        let settings = ThalesHarness.settings(with: [("payload_form", form)])
        let provider = try ThalesHarness.provider(transport, settings)
        var request = try ThalesHarness.request()
        request.encryptedPayload = SecretText(given)
        try provider.check(request)
        let payload = try await ThalesHarness.authorization(provider, request).encryptedPayload.reveal()
        #expect(transport.requests.isEmpty, "the vault is not read")
        return payload
    }

    /// T01: base64 in, hex out, and every other way round.
    @Test func t01EveryFormComesOutInTheConnections() async throws {
        let hex = try hex()
        let base64 = Base64.encode(try #require(Hexadecimal.decode(SecretBytes(utf8: hex)))).revealText() ?? ""
        let unpadded = base64.replacing("=", with: "")
        for given in [hex, hex.uppercased(), base64, unpadded] {
            #expect(try await handedOn(given) == hex)
            #expect(try await handedOn(given, form: "base64") == base64)
        }
    }

    /// T01: what cannot be read is told by the form that was seen, and nothing is sent.
    @Test func t01OtherFormsAreRefusedByName() async throws {
        let hex = try hex()
        let base64 = Base64.encode(try #require(Hexadecimal.decode(SecretBytes(utf8: hex)))).revealText() ?? ""
        let cases = [
            ("0x" + hex, "begins with 0x; send the hex digits alone"),
            ("0X" + hex, "begins with 0x; send the hex digits alone"),
            (String(hex.dropLast()), "has an odd number of hex digits"),
            (
                "-----BEGIN CMS-----\n\(base64)\n-----END CMS-----",
                "is PEM; send the base64 between its lines, on one line"
            ),
            (base64 + "\n", "is neither hex nor standard base64 on one line"),
            (hex + " ", "is neither hex nor standard base64 on one line"),
            (
                base64.replacing("+", with: "-").replacing("/", with: "_"),
                "is neither hex nor standard base64 on one line"
            ),
            (String(hex.dropLast(2)), "is not a whole PKCS#7 EnvelopedData, as hex or base64"),
            (hex + "00", "is not a whole PKCS#7 EnvelopedData, as hex or base64"),
            ("", "is not a whole PKCS#7 EnvelopedData, as hex or base64"),
            ("30", "is not a whole PKCS#7 EnvelopedData, as hex or base64"),
            (String(repeating: "30", count: 100), "is not a whole PKCS#7 EnvelopedData, as hex or base64"),
            (
                Base64.encode(SecretBytes(utf8: ThalesHarness.number)).revealText() ?? "",
                "is not a whole PKCS#7 EnvelopedData, as hex or base64"
            ),
        ]
        for (given, detail) in cases where given != base64 {
            let transport = ScriptedTransport(answers: [])
            let provider = try ThalesHarness.provider(transport)
            var request = try ThalesHarness.request()
            request.encryptedPayload = SecretText(given)
            let refusal = ProvisioningError(
                .invalidRequest, outcome: .notSent, pointer: Self.pointer, detail: detail)
            #expect(throws: refusal) { try provider.check(request) }
            #expect(try await ThalesHarness.failure(provider, request) == refusal)
            #expect(transport.requests.isEmpty)
        }
    }

    /// Some libraries end a sequence with a mark instead of saying its length.
    @Test func aSequenceWithAnEndMarkIsTaken() async throws {
        let hex = try hex()
        let type = "06092a864886f70d010703"
        let start = try #require(hex.firstRange(of: type)?.lowerBound)
        let indefinite = "3080" + hex[start...] + "0000"
        #expect(try await handedOn(indefinite) == indefinite)
    }

    @Test func anotherTypeOfMessageIsRefused() throws {
        let provider = try ThalesHarness.provider()
        var request = try ThalesHarness.request()
        request.encryptedPayload = SecretText(
            try hex().replacing("06092a864886f70d010703", with: "06092a864886f70d010702"))
        #expect(throws: ProvisioningError.self) { try provider.check(request) }
    }

    @Test func withoutAVaultItIsNeeded() async throws {
        let provider = try ThalesHarness.provider(
            ScriptedTransport(answers: []), ThalesHarness.settings(without: ["card_source"]))
        let request = try ThalesHarness.request()
        #expect(
            throws: ProvisioningError(
                .invalidRequest, outcome: .notSent, pointer: Self.pointer,
                detail: "is missing; the connection has no card_source to read the card from")
        ) { try provider.check(request) }
        #expect(try await ThalesHarness.failure(provider, request).pointer == Self.pointer)
        var given = request
        given.encryptedPayload = SecretText(try hex())
        try provider.check(given)
        _ = try await provider.provision(given)
    }

    @Test func withAVaultItIsNotNeeded() throws {
        try ThalesHarness.provider().check(ThalesHarness.request())
    }
}
