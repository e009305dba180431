import Facade
import ProviderKit
import SecretMemory

/// A key for a first look, where the configuration has none. It is shown once and lives as long as the process.
struct GeneratedKey: Sendable {
    /// What the caller sends.
    let text: SecretText
    /// What the gateway knows of it.
    let key: APIKey

    /// Makes one with every scope and program.
    init(_ cryptography: any AdapterCryptography) {
        var builder = SecretBuilder(capacity: 64)
        builder.append("pgk_")
        var random = cryptography.random(32)
        builder.append(Base64.encode(SecretBytes(taking: &random), alphabet: .urlSafe, padded: false))
        let bytes = builder.finish()
        text = SecretText(utf8: bytes) ?? SecretText("")
        key = APIKey(
            name: "generated", digest: cryptography.sha256([bytes]), scopes: Set(Scope.allCases), programs: nil)
    }
}
