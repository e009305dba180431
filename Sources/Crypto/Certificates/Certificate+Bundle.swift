public import SecretMemory

extension Certificate {
    private static let end = "-----END CERTIFICATE-----"

    /// The PEM blocks of a text that holds one certificate or more, each by itself; none where it holds no block.
    /// Nothing says yet that they are certificates: ``init(text:)`` reads them.
    public static func blocks(of text: SecretText) -> [SecretText] {
        text.reveal().split(separator: end, omittingEmptySubsequences: true).filter { $0.contains("-----BEGIN ") }
            .map { SecretText("\($0)\(end)\n") }
    }
}
