import Synchronization

/// Cards as they were read lately, so that an attempt can be planned without a read. Each may have changed since.
///
/// Two halves: what is used moves to the young one, and when that is full, what stayed in the old one is dropped.
final class RecentCards: Sendable {
    private struct State {
        var young: [CardKey: StoredCard] = [:]
        var old: [CardKey: StoredCard] = [:]
        var changes = 0
    }

    private let state = Mutex(State())
    private let half: Int

    /// For at most `limit` cards.
    init(limit: Int = 8192) { half = max(limit / 2, 1) }

    /// The card as it was kept; nil where it was not, or has been dropped.
    func card(_ key: CardKey) -> StoredCard? {
        state.withLock { state in
            if let card = state.young[key] { return card }
            guard let card = state.old[key] else { return nil }
            keep(card, in: &state)
            return card
        }
    }

    /// How many changes there have been. To be asked before a read whose card is to be kept.
    var changes: Int { state.withLock { $0.changes } }

    /// Keeps a card as it was read, unless any has changed since the read began: what was erased must not come back.
    func keep(_ card: StoredCard, asOf changes: Int) {
        state.withLock { if $0.changes == changes { keep(card, in: &$0) } }
    }

    /// Drops a card that has changed, or is gone.
    func forget(_ key: CardKey) { forget(CollectionOfOne(key)) }

    /// Drops cards that have changed.
    func forget(_ keys: some Sequence<CardKey>) {
        state.withLock { state in
            for key in keys {
                state.young[key] = nil
                state.old[key] = nil
            }
            state.changes += 1
        }
    }

    /// Drops all cards: what they have in common has changed.
    func forgetAll() {
        state.withLock { state in
            (state.young, state.old) = ([:], [:])
            state.changes += 1
        }
    }

    private func keep(_ card: StoredCard, in state: inout State) {
        if state.young.count >= half, state.young[card.key] == nil { (state.old, state.young) = (state.young, [:]) }
        state.young[card.key] = card
    }
}
