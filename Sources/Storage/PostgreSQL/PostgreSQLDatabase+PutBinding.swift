import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Gives a card a binding, or changes the one that it has at the connection. Whoever is active then is the only one.
    func putBinding(_ draft: BindingDraft, by actor: AuditActor) async throws -> PutBindingResult {
        let name = draft.binding.connection
        openTrail(of: draft.key.program)
        let found = askForCardToChange(draft.key)
        let migration = askForMigrationInForce(program: draft.key.program, card: draft.key.id)
        let owner = askForOwner(of: draft.binding.providerCardID, at: name)
        try await sql.send()
        guard let (number, known) = CardRow.cards(found.rows).first else { return .unknownCard }
        let stored = Self.whole(known, under: migration.first)
        if let owner = owner.first, owner != draft.key {
            return owner.program == draft.key.program ? .bindingConflict : .boundElsewhere
        }
        let former = stored.bindings.first { $0.card.connection == name }
        if former?.state == .active, draft.state != .active {
            let others = stored.bindings.filter { $0.card.connection != name && $0.state != .retired }
            return .leavesNoneActive(others: others.map(\.card.connection))
        }
        let binding = StoredBinding(draft, over: former)
        if binding == former { return .updated(stored) }
        if draft.state == .active, let active = stored.activeBinding, active.card.connection != name {
            change(
                active, to: StoredBinding(card: active.card, formerIDs: active.formerIDs, state: .standby), draft,
                number)
        }
        change(former, to: binding, draft, number)
        var touched = stored
        touched.updatedAt = max(stored.updatedAt, draft.at)
        update(touched, number: number)
        let changed = askForCard(draft.key)
        try await sql.send()
        guard let written = CardRow.cards(changed.rows).first?.card else {
            throw StoreFailure.broken("A card is gone in the transaction that changes it.")
        }
        let card = Self.whole(written, under: migration.first)
        let difference = chain.difference(chain.members(of: stored), chain.members(of: card))
        append(
            "card.binding_changed", on: card.key, by: actor, at: draft.at, before: difference.before,
            after: difference.after)
        return former == nil ? .created(card) : .updated(card)
    }

    /// Writes one binding with its event.
    private func change(_ former: StoredBinding?, to binding: StoredBinding, _ draft: BindingDraft, _ card: Int64) {
        if let former {
            update(binding, replacing: former.card.providerCardID, card: card, at: draft.at)
        } else {
            insert(binding, of: draft.key)
        }
        tell(
            .cardBindingChanged, of: draft.key, at: draft.at,
            binding.eventMembers(from: former, provider: draft.providers[binding.card.connection]))
    }

    /// Writes a card's binding. Where its processor's card is another one, the one before it stays known as a former id.
    private func update(
        _ binding: StoredBinding, replacing former: String, card number: Int64, at moment: Timestamp
    ) {
        let card = binding.card
        if card.providerCardID != former {
            sql.run(
                "UPDATE provider_card SET replaced_at = $1 WHERE connection = $2 AND provider_card_id = $3",
                .integer(moment.milliseconds), .text(card.connection), .text(former))
            sql.run(
                """
                INSERT INTO provider_card (connection, provider_card_id, card) VALUES ($1, $2, $3)
                ON CONFLICT (connection, provider_card_id) DO UPDATE SET replaced_at = NULL
                WHERE provider_card.card = $3
                """, .text(card.connection), .text(card.providerCardID), .integer(number))
        }
        sql.run(
            """
            UPDATE binding SET provider_card_id = $1, provider_cardholder_id = $2, last4 = $3, network = $4,
                product_id = $5, state = $6
            WHERE card = $7 AND connection = $8
            """, .text(card.providerCardID), .text(orNull: card.providerCardholderID), .text(card.last4),
            .text(card.network.description), .text(orNull: card.productID), .text(binding.state.rawValue),
            .integer(number), .text(card.connection))
    }
}
