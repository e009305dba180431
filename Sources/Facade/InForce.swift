import Gateway
import ProviderKit

/// What one configuration puts in force for requests. It is replaced as a whole, and each request keeps the one that it
/// began with: no request is let in by one configuration and served by another.
struct InForce: Sendable {
    /// The use cases, over the programs and connections of the configuration.
    let gateway: Gateway
    /// Who may call.
    let keys: APIKeySet
    /// How many bytes a body may have.
    let bodyLimit: Int

    /// What it is made of: the keys come from two places.
    struct Parts {
        var gateway: Gateway
        var configuredKeys: [APIKey]
        var storedKeys: [APIKey] = []
        var bodyLimit: Int
    }

    init(_ parts: Parts, cryptography: any AdapterCryptography) {
        gateway = parts.gateway
        keys = APIKeySet(parts.configuredKeys + parts.storedKeys, cryptography: cryptography)
        bodyLimit = parts.bodyLimit
    }
}
