public import ProviderKit
public import SecretMemory

/// A key that is made here: what a caller sends, and what is kept of it.
public struct NewAPIKey: Sendable {
    private static let randomBytes = 32
    /// How long the text of every such key is.
    static let length = "pgk_".count + (randomBytes * 4 + 2) / 3

    /// What a caller sends: `pgk_` and 32 random bytes in base64url. It is kept nowhere.
    public let text: SecretText
    /// SHA-256 of the whole text.
    public let digest: [UInt8]

    /// Makes one.
    public init(_ cryptography: any AdapterCryptography) {
        var builder = SecretBuilder(capacity: Self.length)
        builder.append("pgk_")
        var random = cryptography.random(Self.randomBytes)
        builder.append(Base64.encode(SecretBytes(taking: &random), alphabet: .urlSafe, padded: false))
        let bytes = builder.finish()
        text = SecretText(utf8: bytes) ?? SecretText("")
        digest = cryptography.sha256([bytes])
    }
}
