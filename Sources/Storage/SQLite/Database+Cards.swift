import Provisioning

extension Database {
    /// Creates a card, or changes what the draft holds.
    func putCard(_ draft: CardDraft, by actor: AuditActor) throws -> PutCardResult {
        guard let (number, stored) = try cards.card(draft.key) else { return try create(draft, by: actor) }
        if let binding = draft.binding, !stored.has(binding) { return .bindingConflict }
        var card = stored.applying(draft)
        if card == stored { return .updated(stored) }
        card.migration = try cards.migration(of: card)
        try cards.update(card, number: number)
        let change = chain.difference(chain.members(of: stored), chain.members(of: card))
        try audit.append(
            "card.updated", on: card.key, by: actor, at: draft.at, before: change.before, after: change.after)
        return .updated(card)
    }

    private func create(_ draft: CardDraft, by actor: AuditActor) throws -> PutCardResult {
        guard let binding = draft.binding, let cardholderID = draft.cardholderID, let name = draft.cardholderName else {
            return .incomplete(draft.missingMembers)
        }
        if let owner = try bindings.owner(of: binding) {
            return owner == draft.key.program ? .bindingConflict : .boundElsewhere
        }
        var card = StoredCard(
            key: draft.key, cardholderID: cardholderID, cardholderName: name, title: draft.title,
            artURL: draft.artURL, metadata: draft.metadata, bindings: [StoredBinding(card: binding)],
            createdAt: draft.at, updatedAt: draft.at)
        let number = try cards.insert(card)
        for binding in card.bindings { try bindings.insert(binding, card: number) }
        card.migration = try cards.migration(of: card)
        try audit.append(
            "card.created", on: card.key, by: actor, at: draft.at, before: [], after: chain.members(of: card))
        return .created(card)
    }

    /// Removes a card with its bindings, and the processors' ids from its attempts. False where it is unknown.
    func eraseCard(_ key: CardKey, by actor: AuditActor, at now: Timestamp) throws -> Bool {
        guard let (number, card) = try cards.card(key) else { return false }
        try cards.delete(number: number)
        try provisionings.eraseProviderCardIDs(of: key)
        try audit.append("card.erased", on: key, by: actor, at: now, before: chain.members(of: card), after: [])
        return true
    }
}
