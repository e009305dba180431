import FoundationEssentials
import JSON
import ProviderKit
public import Provisioning
public import SecretMemory

/// A delivery that the processor's own library signed, as `Fixtures/vendor/webhook_vectors.json` keeps it.
public struct WebhookVector: Sendable, CustomStringConvertible {
    /// What is special about it.
    public let description: String
    /// The secret that it is signed with.
    public let secret: String
    /// When it was signed.
    public let signedAt: Timestamp
    /// The header fields.
    public let headers: [(name: String, value: String)]
    /// The body.
    public let body: SecretBytes

    /// The delivery as it comes so many milliseconds after it was signed, with header fields in the place of its own.
    public func delivery(after milliseconds: Int64 = 0, headers: [(name: String, value: String)]? = nil)
        -> WebhookDelivery
    {
        WebhookDelivery(
            headers: headers ?? self.headers, body: body, receivedAt: signedAt.adding(milliseconds: milliseconds))
    }

    /// The vectors of the provider whose test file this is; none where the file is not as it should be.
    public static func all(beside testFile: String = #filePath) -> [WebhookVector] {
        let folder = URL(filePath: testFile).deletingLastPathComponent().deletingLastPathComponent()
        let path = folder.appending(path: "Fixtures/vendor/webhook_vectors.json").path()
        guard let bytes = FileManager.default.contents(atPath: path),
            let vectors = try? JSONParser().parse(SecretBytes(Array(bytes))).root.elements
        else { return [] }
        return vectors.compactMap { vector in
            guard let name = vector["name"]?.string, let secret = vector["secret"]?.string,
                let seconds = vector["timestamp"]?.integer, let headers = vector["headers"]?.members,
                let body = vector["body"]?.secretText.flatMap({ Base64.decode($0.bytes) })
            else { return nil }
            return WebhookVector(
                description: name, secret: secret, signedAt: Timestamp(seconds: Int64(seconds)),
                headers: headers.map { ($0.name, $0.value.string ?? "") }, body: body)
        }
    }
}
