import EventLoop
import Provisioning
import Storage

/// Whose the cards are, where the processor knows.
extension CardImporter {
    /// How many cards are asked about at once.
    private static let breadth = 16
    /// How often a connection that has no room is come back to.
    private static let patience = 60

    /// The cards with their cardholders at the processors: the given ones verified, the others learnt.
    func verified(_ cards: [(line: Int, draft: Result<CardDraft, Problem>)]) async
        -> [(line: Int, draft: Result<CardDraft, Problem>)]
    {
        var cards = cards
        await withTaskGroup(of: (index: Int, draft: Result<CardDraft, Problem>).self) { group in
            var isFull = 0
            for (index, card) in cards.enumerated() {
                guard let draft = try? card.draft.get(), let binding = draft.binding,
                    let connection = gateway.directory.connections[binding.connection],
                    connection.provider is any CardOwnership
                else { continue }
                if isFull == Self.breadth, let done = await group.next() {
                    cards[done.index].draft = done.draft
                    isFull -= 1
                }
                isFull += 1
                group.addTask { (index, await verified(draft, binding, at: connection)) }
            }
            for await done in group { cards[done.index].draft = done.draft }
        }
        return cards
    }

    private func verified(_ draft: CardDraft, _ binding: CardBinding, at connection: Connection) async
        -> Result<CardDraft, Problem>
    {
        for _ in 1..<Self.patience {
            do throws(Problem) {
                var draft = draft
                draft.binding = try await gateway.verified(binding, at: connection, canWait: true)
                return .success(draft)
            } catch {
                // The connection has no room, or no rate, for now.
                guard error.code == .overloaded, let wait = error.retryAfter,
                    (try? await EventLoop.current?.sleep(for: .seconds(min(wait, 2)))) != nil
                else { return .failure(error) }
            }
        }
        return .failure(Problem(.overloaded, detail: "The connection's rate is used up.", retryAfter: 1))
    }
}
