import Crypto
import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Testing
import ThalesProvider

@Suite("The envelope that Thales gets")
struct ThalesEnvelopeTests {
    /// What `openssl cms -decrypt` finds in the envelope.
    private func decrypted(_ der: [UInt8]) throws -> String {
        try OpenSSLCommand.text(
            ["cms", "-decrypt", "-binary", "-inform", "DER", "-in", "envelope", "-inkey", "key.pem"],
            files: ["envelope": der, "key.pem": Array(ThalesHarness.gatewayKey.get().pem().reveal().utf8)])
    }

    private func printed(_ der: [UInt8]) throws -> String {
        try OpenSSLCommand.text(
            ["cms", "-cmsout", "-print", "-inform", "DER", "-in", "envelope"], files: ["envelope": der])
    }

    private func envelope(
        _ settings: TestSettings = ThalesHarness.settings(), _ body: String = ThalesHarness.body(),
        _ change: (inout ProvisioningRequest) -> Void = { _ in }
    ) async throws -> SecretText {
        var request = try ThalesHarness.request()
        change(&request)
        let provider = try ThalesHarness.provider(answering: body, settings)
        return try await ThalesHarness.authorization(provider, request).encryptedPayload
    }

    /// T01: lower-case hex, unless the connection says otherwise.
    @Test func t01TheEnvelopeIsHexByDefault() async throws {
        let text = try await envelope().reveal()
        #expect(text.wholeMatch(of: /([0-9a-f]{2})+/) != nil)
        let der = try #require(Hexadecimal.decode(SecretBytes(utf8: text)))
        let payload = try decrypted(der.reveal())
        #expect(
            payload == """
                {"issuerCardRefId":"card-ref_0001","fpan":"\(ThalesHarness.number)","exp":"1131",\
                "cardHolderName":"Ian Crease"}
                """)
    }

    @Test func orBase64OnOneLine() async throws {
        let text = try await envelope(ThalesHarness.settings(with: [("payload_form", "base64")]))
        let der = try #require(Base64.decode(text.bytes))
        #expect(text.bytes.count.isMultiple(of: 4))
        #expect(try decrypted(der.reveal()).contains(ThalesHarness.number))
    }

    /// T02: SHA-256 for OAEP's hash and for MGF1, AES-256-CBC for the content.
    @Test func t02TheAlgorithmsAreThoseOfTheOnboarding() async throws {
        let der = try #require(Hexadecimal.decode(try await envelope().bytes)).reveal()
        let text = try printed(der)
        #expect(text.contains("pkcs7-envelopedData") && text.contains("aes-256-cbc"))
        #expect(text.contains("rsaesOaep") && text.contains("mgf1"))
        #expect(text.ranges(of: "sha256").count == 2 && !text.contains("sha1"))
    }

    @Test func orTheOldKeyTransport() async throws {
        let text = try await envelope(ThalesHarness.settings(with: [("key_transport", "pkcs1v15")]))
        let der = try #require(Hexadecimal.decode(text.bytes)).reveal()
        let shown = try printed(der)
        #expect(shown.contains("rsaEncryption") && shown.contains("aes-256-cbc") && !shown.contains("Oaep"))
        #expect(try decrypted(der).contains(ThalesHarness.number))
    }

    @Test func everyEnvelopeIsAnother() async throws {
        let first = try await envelope()
        let second = try await envelope()
        #expect(first != second)
    }

    @Test func namesInAnyScriptArriveAsTheyAre() async throws {
        let text = try await envelope(ThalesHarness.settings(), ThalesHarness.body(name: #"Zo\u00eb \"Z\" O'Čapek/李"#))
        let der = try #require(Hexadecimal.decode(text.bytes)).reveal()
        #expect(try decrypted(der).contains(#""cardHolderName":"Zoë \"Z\" O'Čapek/李"}"#))
    }

    @Test(
        arguments: [
            (.mastercard, "Maximiliana Featherstonehaugh", "Maximiliana Featherstonehau"),
            (.visa, "Maximiliana Featherstonehaugh", "Maximiliana Featherstonehaugh"),
            (.mastercard, "Ian Crease", "Ian Crease"),
            (.mastercard, "Maximiliana Featherstone 👩‍👩‍👧", "Maximiliana Featherstone "),
        ] as [(CardNetwork, String, String)])
    func mastercardTakes27Characters(_ network: CardNetwork, _ name: String, _ expected: String) async throws {
        let text = try await envelope(ThalesHarness.settings(), ThalesHarness.body(name: name)) {
            $0.card.network = network
        }
        let der = try #require(Hexadecimal.decode(text.bytes)).reveal()
        let payload = try JSONParser().parse(SecretBytes(utf8: decrypted(der))).root
        #expect(payload["cardHolderName"]?.string == expected)
    }

    @Test func theNumberIsInNoDescription() async throws {
        let provider = try ThalesHarness.provider(answering: ThalesHarness.body())
        let handoff = try await provider.provision(try ThalesHarness.request())
        var shown = ["\(provider)", String(reflecting: provider), "\(handoff)", String(reflecting: handoff)]
        for value in [provider as Any, handoff as Any] {
            var dumped = ""
            dump(value, to: &dumped)
            shown.append(dumped)
        }
        #expect(!shown.contains { $0.contains(ThalesHarness.number) })
    }
}
