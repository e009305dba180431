import FoundationEssentials
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Testing

@testable import Gateway

@Suite struct WebhookSignerTests {
    /// What the Standard Webhooks library signed; `make vendor` holds the file to it.
    struct Vector: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let secrets: [String]
        let signedAt: Timestamp
        let headers: [String: String]
        let body: SecretBytes

        static let all: [Vector] = {
            let file = URL(filePath: #filePath).appending(
                path: "../../../../Contracts/Webhooks/vendor/webhook_vectors.json")
            guard let bytes = FileManager.default.contents(atPath: file.standardized.path()),
                let vectors = try? JSONParser().parse(SecretBytes(Array(bytes))).root.elements
            else { return [] }
            return vectors.compactMap { vector in
                guard let name = vector["name"]?.string, let seconds = vector["timestamp"]?.integer,
                    let secrets = vector["secrets"]?.elements, let headers = vector["headers"]?.members,
                    let body = vector["body"]?.secretText.flatMap({ Base64.decode($0.bytes) })
                else { return nil }
                return Vector(
                    testDescription: name, secrets: secrets.compactMap(\.string),
                    signedAt: Timestamp(seconds: Int64(seconds)),
                    headers: Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value.string ?? "") }),
                    body: body)
            }
        }()
    }

    @Test func thereAreVectors() {
        #expect(Vector.all.count == 5)
        #expect(Vector.all.contains { $0.secrets.count == 2 })
    }

    @Test(arguments: Vector.all)
    func signsAsTheLibraryDoes(_ vector: Vector) throws {
        let secrets = try vector.secrets.map { try #require(WebhookSecret(SecretText($0))) }
        let signer = WebhookSigner(secrets: secrets)
        // The time is cut to whole seconds.
        let headers = signer.headers(
            id: vector.headers["webhook-id"] ?? "", at: vector.signedAt.adding(milliseconds: 999), body: vector.body)
        #expect(headers.map(\.name) == ["webhook-id", "webhook-timestamp", "webhook-signature"])
        for header in headers { #expect(header.value.reveal() == vector.headers[header.name]) }
    }

    @Test func anotherBodyOrIDOrTimeHasAnotherSignature() throws {
        let vector = try #require(Vector.all.first)
        let signer = WebhookSigner(secrets: [try #require(WebhookSecret(SecretText(vector.secrets[0])))])
        func signature(_ id: String, _ at: Int64, _ body: String) -> String {
            signer.headers(id: id, at: Timestamp(seconds: at), body: SecretBytes(utf8: body))[2].value.reveal()
        }
        let signatures = [
            signature("a", 1, "{}"), signature("b", 1, "{}"), signature("a", 2, "{}"), signature("a", 1, "{ }"),
        ]
        #expect(Set(signatures).count == 4)
        #expect(signature("a", 1, "{}") == signatures[0])
    }

    @Test func aSecretIsWrittenAndReadBack() throws {
        let secret = WebhookSecret(key: SecretBytes(Array(0..<32)))
        let text = try #require(secret.text)
        #expect(text.reveal() == "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")
        #expect(WebhookSecret(text) == secret)
        #expect("\(secret)".contains("AAEC") == false)
    }

    @Test(arguments: ["", "whsec_", "AAEC", "WHSEC_AAEC", "whsec_*", "whsec-AAEC", "whse"])
    func whatIsNoSecretIsNone(_ text: String) {
        #expect(WebhookSecret(SecretText(text)) == nil)
    }
}
