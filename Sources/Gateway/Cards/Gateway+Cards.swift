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
        var draft = draft
        if let binding = draft.binding {
            let connection = try check(binding, of: try program(draft.key.program), at: "/binding")
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
        case .incomplete, .bindingConflict, .boundElsewhere: throw Problem(refused: result) ?? Problem(.internalError)
        }
    }

    /// The program of that name.
    ///
    /// - Throws: `program_not_found`.
    func program(_ name: String) throws(Problem) -> Program {
        guard let program = directory.programs[name] else { throw Problem(.programNotFound) }
        return program
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
}

extension Problem {
    /// What a caller is told whose card was not stored; nil where it was.
    init?(refused result: PutCardResult) {
        switch result {
        case .created, .updated: return nil
        case .incomplete(let members):
            self.init(
                .invalidRequest, detail: "A new card needs every one of these members.",
                errors: members.map { MemberProblem(pointer: $0, code: "missing", detail: "is missing") })
        case .bindingConflict: self.init(.bindingConflict)
        case .boundElsewhere: self.init(.providerCardNotFound)
        }
    }
}
