import ProviderKit
import Provisioning
import Sandbox

/// Everything that the emulator keeps between calls.
struct StripeState {
    /// An answer that the same idempotency key gets again.
    struct Remembered {
        let path: String
        let account: String?
        let version: String?
        let body: SecretBytes
        let answer: EmulatedResponse
    }

    var cards: [String: StripeCard] = [:]
    var keys: [StripeKey] = []
    var tokens: [StripeToken] = []
    var spentNonces: Set<[UInt8]> = []
    var remembered: [String: Remembered] = [:]
    /// The cards whose first call has met its conflict.
    var conflicts: Set<String> = []

    /// The card of that id; a magic one comes into being when it is first asked for.
    mutating func card(_ id: String, at moment: Timestamp) -> StripeCard? {
        if let card = cards[id] { return card }
        let isID = id.utf8.dropFirst(3).allSatisfy {
            Character(Unicode.Scalar($0)).isLetter || (0x30...0x39).contains($0)
        }
        guard isID, let magic = MagicCard.named(id) else { return nil }
        let card = StripeCard(id: id, magic: magic, createdAt: moment)
        cards[id] = card
        return card
    }

    /// An id of that kind, such as `ephkey_1G4V6eEEs6YsaMZ2P1diLWdj`.
    static func newID(_ prefix: String, length: Int = 24) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
        return prefix + String((0..<length).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }
}
