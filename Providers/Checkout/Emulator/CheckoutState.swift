import Provisioning
import Sandbox

/// Everything that the emulator keeps between calls.
struct CheckoutState {
    /// An access token that was given.
    struct Grant {
        let scopes: Set<String>
        let endsAt: Timestamp
    }

    /// Whose the magic cards are.
    static let cardholder = id("crh", "simulated")
    /// Whose the foreign one is.
    static let otherCardholder = id("crh", "somebodyelse")

    var grants: [String: Grant] = [:]
    var cards: [String: IssuedCard] = [:]
    var digitalCards: [DigitalCard] = []
    var hasGoneStale = false

    /// The card of that id; a magic one comes into being when it is first asked for.
    mutating func card(_ id: String, at moment: Timestamp) -> IssuedCard? {
        if let card = cards[id] { return card }
        guard let magic = MagicCard.named(id) else { return nil }
        let card = IssuedCard(magic, id: id, at: moment)
        cards[id] = card
        return card
    }

    /// An id that begins with a word: 26 characters after the prefix.
    static func id(_ prefix: String, _ word: String) -> String {
        "\(prefix)_\(word)" + String(repeating: "0", count: max(26 - word.count, 0))
    }

    /// A new id.
    static func newID(_ prefix: String) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return "\(prefix)_" + String((0..<26).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }

    /// Whether the text is an id of that kind.
    static func isID(_ text: String, _ prefix: String) -> Bool {
        IdentifierPattern.prefixed(["\(prefix)_"], .lowercaseAlphanumeric, length: 26...26).matches(text)
    }
}
