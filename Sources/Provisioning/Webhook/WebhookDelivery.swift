public import SecretMemory

/// A processor's webhook as it arrived. Nothing in it is believed before its signature is verified.
public struct WebhookDelivery: Sendable {
    /// The header fields in the order they came, names in lower case.
    public let headers: [(name: String, value: String)]
    /// The body byte for byte.
    public let body: SecretBytes
    /// When it came, by the gateway's clock.
    public let receivedAt: Timestamp

    /// Makes a delivery of its members.
    public init(headers: [(name: String, value: String)], body: SecretBytes, receivedAt: Timestamp) {
        self.headers = headers
        self.body = body
        self.receivedAt = receivedAt
    }

    /// The value of the only field of that name, given in lower case; nil where there is none, or more than one.
    public func header(_ name: String) -> String? {
        let values = headers.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}
