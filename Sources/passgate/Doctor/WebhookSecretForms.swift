import ConfigurationFile
import ProviderKit
import SecretMemory

/// Looks at the secrets of webhooks as they are written: whether they can be what a processor gave.
struct WebhookSecretForms {
    private static let shortest = 16
    private static let prefix = "whsec_"

    let source: ConfigurationSource

    /// A finding for each connection that has secrets. None quotes a secret.
    func findings() -> [Finding] {
        let connections = secrets()
        return connections.flatMap { connection, texts in
            texts.enumerated().map { index, text in
                let others = connections.filter { $0.connection != connection && $0.texts.contains(text) }
                return finding("connections.\(connection)", index, text, sharedWith: others.map(\.connection))
            }
        }
    }

    private func finding(_ subject: String, _ index: Int, _ text: String, sharedWith others: [String]) -> Finding {
        let name = "secret \(index + 1)"
        func warn(_ words: String) -> Finding { Finding(subject, "webhook_secrets", .warning, "\(name) \(words)") }
        if text.contains(where: \.isWhitespace) { return warn("has a space or a line end in it") }
        if ["sk_", "rk_", "pk_", "pgk_"].contains(where: text.hasPrefix) {
            return warn("looks like an API key, not like a secret of webhooks")
        }
        if let other = others.first {
            return warn("is that of connections.\(other), too: one is believed for the other")
        }
        let rest = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
        if rest.utf8.count < Self.shortest { return warn("is shorter than any secret that a processor gives") }
        let form = Self.form(of: rest)
        if rest.count < text.count, form == "text" {
            return warn("begins with \(Self.prefix) and is no base64 after it")
        }
        let words = rest.count < text.count ? "\(Self.prefix) and \(form)" : form
        return Finding(subject, "webhook_secrets", .fine, "\(name): \(words), \(text.utf8.count) characters")
    }

    private static func form(of text: String) -> String {
        let isHex = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
            default: false
            }
        }
        if isHex, text.utf8.count.isMultiple(of: 2) { return "hex" }
        let isBase64 = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2b, 0x2f, 0x3d, 0x2d, 0x5f: true
            default: false
            }
        }
        return isBase64 ? "base64" : "text"
    }

    private func secrets() -> [(connection: String, texts: [String])] {
        guard case .mapping(let connections)? = source.values.first(where: { $0.key == "connections" })?.value else {
            return []
        }
        return connections.compactMap { name, value in
            guard case .mapping(let members) = value,
                case .list(let list)? = members.first(where: { $0.key == "webhook_secrets" })?.value
            else { return nil }
            let texts = list.compactMap { element -> String? in
                if case .text(let text) = element { text.reveal() } else { nil }
            }
            return (name, texts)
        }
    }
}
