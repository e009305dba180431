public import SecretMemory

extension AdapterKit {
    /// The JSON object that a verified body is; nil where it is none.
    public func webhookObject(_ body: SecretBytes) -> JSONView? {
        let root = (try? json.parse(body))?.root
        return root?.kind == .object ? root : nil
    }

    /// A key for a delivery whose processor gives it no id: a digest of the texts, each with its length before it.
    public func webhookKey(of texts: [String]) -> String {
        let pieces = texts.flatMap { [SecretBytes(utf8: "\($0.utf8.count):"), SecretBytes(utf8: $0)] }
        return "sha256_" + Self.hex(cryptography.sha256(pieces))
    }

    /// A key for a delivery of which nothing is known but its bytes.
    public func webhookKey(ofBody body: SecretBytes) -> String { "sha256_" + Self.hex(cryptography.sha256([body])) }

    private static func hex(_ bytes: [UInt8]) -> String {
        Hexadecimal.encode(SecretBytes(bytes)).revealText() ?? ""
    }
}
