import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// What a draft is decided by.
    struct DraftAnswer {
        let card: Answer<CardRow>
        let migration: Answer<MigrationInForce>
        let owner: Answer<CardKey>?
    }

    /// Asks for what a draft is decided by, and keeps its card as it is. The program's trail is to be open.
    func askForDraft(_ draft: CardDraft) -> DraftAnswer {
        DraftAnswer(
            card: askForCardToChange(draft.key),
            migration: askForMigrationInForce(program: draft.key.program, card: draft.key.id),
            owner: draft.binding.map { askForOwner(of: $0.providerCardID, at: $0.connection) })
    }

    /// Creates a card, or changes what the draft holds.
    func putCard(_ draft: CardDraft, by actor: AuditActor) async throws -> PutCardResult {
        openTrail(of: draft.key.program)
        let answer = askForDraft(draft)
        try await sql.send()
        let (result, former) = write(draft, answer)
        let action: String
        let card: StoredCard
        switch result {
        case .created(let made): (action, card) = ("card.created", made)
        case .updated(let changed) where changed != former: (action, card) = ("card.updated", changed)
        default: return result
        }
        let change = chain.difference(former.map { chain.members(of: $0) } ?? [], chain.members(of: card))
        append(action, on: card.key, by: actor, at: draft.at, before: change.before, after: change.after)
        return result
    }

    /// Creates a card, or changes what the draft holds, without an entry in the audit trail.
    ///
    /// - Returns: What became of the draft, and the card before it, where there was one.
    func write(_ draft: CardDraft, _ answer: DraftAnswer) -> (result: PutCardResult, former: StoredCard?) {
        let migration = answer.migration.first
        guard let (number, known) = CardRow.cards(answer.card.rows).first else {
            return (create(draft, owner: answer.owner?.first, under: migration), nil)
        }
        let stored = Self.whole(known, under: migration)
        if let binding = draft.binding, !stored.has(binding) { return (.bindingConflict, stored) }
        var card = stored.applying(draft)
        if card == stored { return (.updated(stored), stored) }
        card = Self.whole(card, under: migration)
        update(card, number: number)
        return (.updated(card), stored)
    }

    private func create(_ draft: CardDraft, owner: CardKey?, under migration: MigrationInForce?) -> PutCardResult {
        guard let binding = draft.binding, let cardholderID = draft.cardholderID, let name = draft.cardholderName else {
            return .incomplete(draft.missingMembers)
        }
        if let owner { return owner.program == draft.key.program ? .bindingConflict : .boundElsewhere }
        let card = StoredCard(
            key: draft.key, cardholderID: cardholderID, cardholderName: name, title: draft.title,
            artURL: draft.artURL, metadata: draft.metadata, bindings: [StoredBinding(card: binding)],
            createdAt: draft.at, updatedAt: draft.at)
        sql.run(
            """
            INSERT INTO card (program, id, cardholder_id, cardholder_name, title, art_url, metadata, created_at,
                updated_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, .text(card.key.program), .text(card.key.id), .text(card.cardholderID), .text(card.cardholderName),
            .text(orNull: card.title), .text(orNull: card.artURL), .text(orNull: card.metadata),
            .integer(card.createdAt.milliseconds), .integer(card.updatedAt.milliseconds))
        for binding in card.bindings { insert(binding, of: card.key) }
        return .created(Self.whole(card, under: migration))
    }

    /// Writes a card's own members.
    func update(_ card: StoredCard, number: Int64) {
        sql.run(
            """
            UPDATE card SET cardholder_id = $1, cardholder_name = $2, title = $3, art_url = $4, metadata = $5,
                updated_at = $6 WHERE number = $7
            """, .text(card.cardholderID), .text(card.cardholderName), .text(orNull: card.title),
            .text(orNull: card.artURL), .text(orNull: card.metadata), .integer(card.updatedAt.milliseconds),
            .integer(number))
    }
}
