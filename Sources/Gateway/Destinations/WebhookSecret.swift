import SecretMemory

/// A destination's secret, as Standard Webhooks writes it: `whsec_` and the base64 of its bytes.
struct WebhookSecret: Sendable, Equatable {
    /// How many bytes a secret of ours has.
    static let count = 32
    private static let prefix = "whsec_"

    /// The key.
    let key: SecretBytes

    init(key: SecretBytes) { self.key = key }

    /// The secret that a text stands for; nil where it is none.
    init?(_ text: SecretText) {
        let prefix = Array(Self.prefix.utf8)
        let bytes = text.bytes
        guard bytes.count > prefix.count else { return nil }
        let digits = bytes.withSpan { span -> SecretBytes? in
            for (index, byte) in prefix.enumerated() where span[index] != byte { return nil }
            var rest = SecretBuilder(capacity: span.count - prefix.count)
            rest.append(span.extracting(prefix.count..<span.count))
            return rest.finish()
        }
        guard let digits, let key = Base64.decode(digits), !key.isEmpty else { return nil }
        self.key = key
    }

    /// The secret as it is told, once.
    var text: SecretText? {
        var text = SecretBuilder(capacity: 64)
        text.append(Self.prefix)
        key.withSpan { Base64.encode($0, into: &text) }
        return SecretText(utf8: text.finish())
    }
}
