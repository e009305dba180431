import Provisioning
import Sandbox
import SecretMemory

/// Everything that the emulator keeps between calls.
struct IncreaseState {
    /// An answer that the same idempotency key gets again.
    struct Remembered {
        let method: String
        let path: String
        let body: SecretBytes
        let answer: EmulatedResponse
        let resource: String
    }

    var cards: [String: IncreaseCard] = [:]
    var tokens: [IncreaseToken] = []
    var spentNonces: Set<[UInt8]> = []
    var spentSessions: Set<String> = []
    var remembered: [String: Remembered] = [:]

    /// The card of that id; a magic one comes into being when it is first asked for.
    mutating func card(_ id: String, at moment: Timestamp) -> IncreaseCard? {
        if let card = cards[id] { return card }
        guard let magic = MagicCard.named(id) else { return nil }
        let card = IncreaseCard(magic: magic, id: id, at: moment)
        cards[id] = card
        return card
    }

    /// An id of that kind, such as `sandbox_card_in71c4amph0vgo2qllky`.
    static func newID(_ kind: String) -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        return "sandbox_\(kind)_" + String((0..<20).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }
}
