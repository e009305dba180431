import Provisioning

extension Database {
    /// Gives a card a binding, or changes the one that it has at the connection. Whoever is active then is the only one.
    func putBinding(_ draft: BindingDraft, by actor: AuditActor) throws -> PutBindingResult {
        guard let (number, stored) = try cards.card(draft.key) else { return .unknownCard }
        let name = draft.binding.connection
        if let owner = try bindings.card(with: draft.binding.providerCardID, at: name), owner != draft.key {
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
            try change(
                active, to: StoredBinding(card: active.card, formerIDs: active.formerIDs, state: .standby), draft,
                number)
        }
        try change(former, to: binding, draft, number)
        var touched = stored
        touched.updatedAt = max(stored.updatedAt, draft.at)
        try cards.update(touched, number: number)
        guard let card = try cards.card(draft.key)?.card else {
            throw StoreFailure.broken("A card is gone in the transaction that changes it.")
        }
        let difference = chain.difference(chain.members(of: stored), chain.members(of: card))
        try audit.append(
            "card.binding_changed", on: card.key, by: actor, at: draft.at, before: difference.before,
            after: difference.after)
        return former == nil ? .created(card) : .updated(card)
    }

    /// Writes one binding with its event.
    private func change(
        _ former: StoredBinding?, to binding: StoredBinding, _ draft: BindingDraft, _ card: Int64
    ) throws {
        if let former {
            try bindings.update(binding, replacing: former.card.providerCardID, card: card, at: draft.at)
        } else {
            try bindings.insert(binding, card: card)
        }
        try events.append(
            .cardBindingChanged, of: draft.key, at: draft.at,
            binding.eventMembers(from: former, provider: draft.providers[binding.card.connection]))
    }
}
