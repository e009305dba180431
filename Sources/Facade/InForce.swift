import Gateway

/// What one configuration puts in force for requests. It is replaced as a whole, and each request keeps the one that it
/// began with: no request is let in by one configuration and served by another.
struct InForce: Sendable {
    /// The use cases, over the programs and connections of the configuration.
    let gateway: Gateway
    /// Who may call.
    let keys: APIKeySet
    /// How many bytes a body may have.
    let bodyLimit: Int
}
