import Provisioning
public import Storage

extension Gateway {
    /// Creates or changes a card.
    ///
    /// - Throws: `invalid_request` at the member at fault; `binding_conflict`; `provider_card_not_found` where another
    ///   program has the card.
    public func putCard(_ draft: CardDraft, actor: AuditActor) async throws(Problem) -> (
        card: StoredCard, created: Bool
    ) {
        guard let program = directory.programs[draft.key.program] else { throw Problem(.programNotFound) }
        var draft = draft
        if let binding = draft.binding {
            let connection = try check(binding, of: program)
            draft.binding = try await verified(binding, at: connection)
        }
        let result: PutCardResult
        do throws(StoreFailure) {
            result = try await store.putCard(draft, audit: actor)
        } catch {
            throw Problem(store: error)
        }
        switch result {
        case .created(let card): return (card, true)
        case .updated(let card): return (card, false)
        case .incomplete(let members):
            throw Problem(
                .invalidRequest, detail: "A new card needs every one of these members.",
                errors: members.map { MemberProblem(pointer: $0, code: "missing", detail: "is missing") })
        case .bindingConflict: throw Problem(.bindingConflict)
        case .boundElsewhere: throw Problem(.providerCardNotFound)
        }
    }

    /// The card.
    ///
    /// - Parameter cardholderID: Whose it must be, where that matters: another's is like one that there is not.
    /// - Throws: `card_not_found`.
    public func card(_ key: CardKey, ofCardholder cardholderID: String? = nil) async throws(Problem) -> StoredCard {
        do throws(StoreFailure) {
            let card =
                if let cardholderID { try await store.card(key, ofCardholder: cardholderID) } else {
                    try await store.card(key)
                }
            if let card { return card }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.cardNotFound)
    }

    /// The program's cards, a page at a time.
    public func cards(_ query: CardQuery) async throws(Problem) -> Page<StoredCard> {
        let filters = [query.program, query.connection, query.cardholderID]
        return try await page(query.page, of: ["cards"] + filters) { page throws(StoreFailure) in
            var query = query
            query.page = page
            return try await store.cards(query)
        }
    }

    /// Erases the card's personal members; its records stay, under a pseudonym.
    ///
    /// - Throws: `card_not_found`.
    public func eraseCard(_ key: CardKey, actor: AuditActor) async throws(Problem) {
        do throws(StoreFailure) {
            if try await store.eraseCard(key, audit: actor) { return }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.cardNotFound)
    }

    /// The name of the connection that serves the card's next attempt.
    public func serving(_ card: StoredCard) -> String? { card.activeBinding?.card.connection }

    private func check(_ binding: CardBinding, of program: Program) throws(Problem) -> Connection {
        guard program.connections.contains(binding.connection),
            let connection = directory.connections[binding.connection]
        else {
            throw .member("/binding/connection", "is not one of the program's connections")
        }
        if !connection.descriptor.cardIDPattern.matches(binding.providerCardID) {
            throw .member(
                "/binding/provider_card_id", "is not of the form of \(connection.descriptor.displayName)'s card ids")
        }
        do throws(ProvisioningError) { try connection.provider.check(binding) } catch {
            throw .member("/binding" + (error.pointer ?? ""), error.detail ?? "is not what the processor needs")
        }
        return connection
    }

    /// The binding with its cardholder at the processor, where the processor has cardholders: the given one must be the
    /// processor's own, and one that is not given is learnt from it.
    private func verified(_ binding: CardBinding, at connection: Connection) async throws(Problem) -> CardBinding {
        guard let owner = connection.provider as? any CardOwnership else { return binding }
        let pass = try enter(connection)
        let cardholderID: String
        do throws(ProvisioningError) {
            cardholderID = try await measured(connection) { () throws(ProvisioningError) in
                try await owner.cardholderID(of: binding, deadline: .now + Self.walletPatience)
            }
            pass.leave(nil, at: .now)
        } catch {
            leave(pass, after: error, hasLoweredDeadline: false)
            // A card that there is not looks like somebody else's.
            if error.code == .providerCardNotFound { throw Problem(.providerCardNotFound) }
            throw Problem(provider: error, at: connection, repeatable: true, record: nil)
        }
        if let given = binding.providerCardholderID, given != cardholderID { throw Problem(.providerCardNotFound) }
        var binding = binding
        binding.providerCardholderID = cardholderID
        return binding
    }
}
