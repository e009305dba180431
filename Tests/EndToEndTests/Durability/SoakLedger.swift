import SecretMemory
import Synchronization

/// What was asked of a gateway that is killed again and again, and what it acknowledged.
final class SoakLedger: Sendable {
    /// How a card may read: more than one state where the last change was never answered.
    enum CardState: Hashable {
        case missing
        case titled(String)
    }

    /// A handshake that was sent, and the record that its answer named.
    struct Attempt {
        let order: SecretBytes
        var record: String?
        var isAnswered = false
    }

    private struct Books {
        var cards: [String: Set<CardState>] = [:]
        var attempts: [Attempt] = []
        var answers = 0
    }

    private let books = Mutex(Books())

    /// How many answers came so far.
    var answers: Int { books.withLock(\.answers) }
    /// How each card may read.
    var cards: [String: Set<CardState>] { books.withLock(\.cards) }
    /// Every handshake that was sent.
    var attempts: [Attempt] { books.withLock(\.attempts) }

    /// Notes that the card is about to be in this state, or as it was where nothing comes of it.
    func asking(_ card: String, _ state: CardState) {
        books.withLock { _ = $0.cards[card, default: [.missing]].insert(state) }
    }

    /// Notes that the change was acknowledged.
    func acknowledged(_ card: String, _ state: CardState) {
        books.withLock { books in
            books.cards[card] = [state]
            books.answers += 1
        }
    }

    /// Notes a handshake before it is sent: its number.
    func sending(_ order: SecretBytes) -> Int {
        books.withLock { books in
            books.attempts.append(Attempt(order: order))
            return books.attempts.count - 1
        }
    }

    /// Notes that an attempt was answered with a handoff.
    func delivered(_ number: Int, record: String) {
        books.withLock { books in
            books.attempts[number].record = record
            books.attempts[number].isAnswered = true
            books.answers += 1
        }
    }
}
