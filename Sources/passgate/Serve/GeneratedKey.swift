import Facade
import ProviderKit
import SecretMemory

/// A key for a first look, where there is none. It is shown once and lives as long as the process.
struct GeneratedKey: Sendable {
    /// What the caller sends.
    let text: SecretText
    /// What the gateway knows of it.
    let key: APIKey

    /// Makes one with every scope and program.
    init(_ cryptography: any AdapterCryptography) {
        let new = NewAPIKey(cryptography)
        text = new.text
        key = APIKey(name: "generated", digest: new.digest, scopes: Set(Scope.allCases), programs: nil)
    }
}
