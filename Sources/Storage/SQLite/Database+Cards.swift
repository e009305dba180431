import Provisioning

extension Database {
    /// Creates a card, or changes what the draft holds.
    func putCard(_ draft: CardDraft, by actor: AuditActor) throws -> PutCardResult {
        let (result, former) = try write(draft)
        let action: String
        let card: StoredCard
        switch result {
        case .created(let made): (action, card) = ("card.created", made)
        case .updated(let changed) where changed != former: (action, card) = ("card.updated", changed)
        default: return result
        }
        let change = chain.difference(former.map { chain.members(of: $0) } ?? [], chain.members(of: card))
        try audit.append(action, on: card.key, by: actor, at: draft.at, before: change.before, after: change.after)
        return result
    }

    /// Creates a card, or changes what the draft holds, without an entry in the audit trail.
    ///
    /// - Returns: What became of the draft, and the card before it, where there was one.
    func write(_ draft: CardDraft) throws -> (result: PutCardResult, former: StoredCard?) {
        guard let (number, stored) = try cards.card(draft.key) else { return (try create(draft), nil) }
        if let binding = draft.binding, !stored.has(binding) { return (.bindingConflict, stored) }
        var card = stored.applying(draft)
        if card == stored { return (.updated(stored), stored) }
        card.migration = try cards.migration(of: card)
        try cards.update(card, number: number)
        return (.updated(card), stored)
    }

    private func create(_ draft: CardDraft) throws -> PutCardResult {
        guard let binding = draft.binding, let cardholderID = draft.cardholderID, let name = draft.cardholderName else {
            return .incomplete(draft.missingMembers)
        }
        if let owner = try bindings.card(with: binding.providerCardID, at: binding.connection) {
            return owner.program == draft.key.program ? .bindingConflict : .boundElsewhere
        }
        var card = StoredCard(
            key: draft.key, cardholderID: cardholderID, cardholderName: name, title: draft.title,
            artURL: draft.artURL, metadata: draft.metadata, bindings: [StoredBinding(card: binding)],
            createdAt: draft.at, updatedAt: draft.at)
        let number = try cards.insert(card)
        for binding in card.bindings { try bindings.insert(binding, card: number) }
        card.migration = try cards.migration(of: card)
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
