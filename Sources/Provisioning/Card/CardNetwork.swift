/// The payment network of a card: `visa`, `mastercard`, `amex`, `discover`, or a domestic scheme.
public struct CardNetwork: Sendable, Hashable, CustomStringConvertible {
    /// The word in our vocabulary.
    public let description: String

    /// Nil unless `text` is 2 to 32 characters of `a-z`, `0-9` and `_`.
    public init?(_ text: String) {
        guard (2...32).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5f })
        else { return nil }
        description = text
    }

    private init(known text: String) { description = text }

    /// Visa.
    public static let visa = CardNetwork(known: "visa")
    /// Mastercard.
    public static let mastercard = CardNetwork(known: "mastercard")
    /// American Express.
    public static let amex = CardNetwork(known: "amex")
    /// Discover.
    public static let discover = CardNetwork(known: "discover")

    /// Whether the network is none of the four international ones.
    public var isDomestic: Bool { ![.visa, .mastercard, .amex, .discover].contains(self) }
}
