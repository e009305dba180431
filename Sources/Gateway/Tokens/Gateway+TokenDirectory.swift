import ProviderKit
import Provisioning
public import Storage

extension Gateway {
    /// How long a processor may take over one question about tokens.
    static let tokenCallPatience: Duration = .seconds(5)

    /// The card's tokens, a page at a time, as its processors tell of them when the first page is asked for. A processor
    /// that serves the card no longer is asked too; where it gives no answer, what it said last is told.
    ///
    /// - Throws: `card_not_found`; the failure of the processor that serves the card.
    public func tokens(_ query: TokenQuery) async throws(Problem) -> Page<StoredToken> {
        let card = try await card(query.card)
        if query.page.cursor == nil { try await askForTokens(of: card) }
        return try await page(query.page, of: ["tokens", query.card.program, query.card.id]) {
            page throws(StoreFailure) in
            try await store.tokens(TokenQuery(card: query.card, page: page))
        }
    }

    /// The token, as its processor says that it stands now; as it was told last where the processor cannot be asked.
    ///
    /// - Throws: `token_not_found`; the processor's failure.
    public func token(_ id: String, program: String) async throws(Problem) -> StoredToken {
        let token = try await storedToken(id, program: program)
        guard let place = try await place(of: token), let provider = place.connection.provider as? any TokenDirectory
        else { return token }
        return try await read(token, at: place, from: provider)
    }

    /// A token's connection, and its card there.
    struct TokenPlace {
        let connection: Connection
        let binding: CardBinding
    }

    func storedToken(_ id: String, program: String) async throws(Problem) -> StoredToken {
        do throws(StoreFailure) {
            if let token = try await store.token(id, program: program) { return token }
        } catch {
            throw Problem(store: error)
        }
        throw Problem(.tokenNotFound)
    }

    /// Where a token is, whatever became of the binding since; nil where the connection or the binding is gone.
    func place(of token: StoredToken) async throws(Problem) -> TokenPlace? {
        guard let connection = directory.connections[token.connection],
            var binding = try await card(token.card).bindings.first(where: {
                $0.card.connection == token.connection
            })?.card
        else { return nil }
        binding.providerCardID = token.providerCardID
        return TokenPlace(connection: connection, binding: binding)
    }

    /// Asks the processor how a token stands, and keeps what it says.
    func read(_ token: StoredToken, at place: TokenPlace, from provider: any TokenDirectory) async throws(Problem)
        -> StoredToken
    {
        let asked = clock.now
        let sighting = try await call(place.connection) { () throws(ProvisioningError) in
            try await provider.token(
                token.sighting.id, of: place.binding, deadline: .now + Self.tokenCallPatience)
        }
        return try await keep(sighting, of: token, askedAt: asked)
    }

    /// Makes one call about tokens, within the connection's limits.
    func call<Answer>(_ connection: Connection, _ work: () async throws(ProvisioningError) -> Answer)
        async throws(Problem) -> Answer
    {
        let pass = try enter(connection)
        do throws(ProvisioningError) {
            let answer = try await measured(connection, work)
            pass.leave(nil, at: .now)
            return answer
        } catch {
            leave(pass, after: error, hasLoweredDeadline: false)
            throw error.code == .tokenNotFound
                ? Problem(.tokenNotFound) : Problem(provider: error, at: connection, repeatable: true, record: nil)
        }
    }

    /// Keeps what a processor said of a token when it was asked.
    ///
    /// - Returns: The token as it was said to stand.
    func keep(
        _ sighting: TokenSighting, of token: StoredToken, askedAt asked: Timestamp, change: TokenChangeNote? = nil
    ) async throws(Problem) -> StoredToken {
        var settled: StoredToken?
        do throws(StoreFailure) {
            let providerCardID = sighting.providerCardID ?? token.providerCardID
            let owner = try await store.card(ofProviderCard: providerCardID, orToken: nil, at: token.connection)
            settled = try await store.settle(
                TokenReport(
                    card: owner?.card ?? token.card, provider: token.provider, connection: token.connection,
                    providerCardID: providerCardID, source: .probe, tokens: [sighting], observedAt: asked,
                    receivedAt: clock.now, change: change)
            ).tokens.first
        } catch {
            throw Problem(store: error)
        }
        guard var settled, settled.card.program == token.card.program else { throw Problem(.tokenNotFound) }
        // Another answer may have come between; this one is told as it was given.
        settled.sighting.status = sighting.status
        settled.sighting.rawStatus = sighting.rawStatus
        return settled
    }

    private func askForTokens(of card: StoredCard) async throws(Problem) {
        let bindings = card.bindings.flatMap { binding in
            ([binding.card.providerCardID] + binding.formerIDs).map { id in
                var place = binding.card
                place.providerCardID = id
                return (binding: place, isServing: binding.state == .active && id == binding.card.providerCardID)
            }
        }
        let failures = await withTaskGroup(of: (problem: Problem, isServing: Bool)?.self) { group in
            for (binding, isServing) in bindings {
                group.addTask { [self] in
                    do throws(Problem) {
                        try await askForTokens(of: binding, card: card.key)
                        return nil
                    } catch {
                        return (error, isServing)
                    }
                }
            }
            return await group.reduce(into: [(problem: Problem, isServing: Bool)]()) { found, failure in
                if let failure { found.append(failure) }
            }
        }
        if let failure = failures.first(where: { $0.isServing }) { throw failure.problem }
    }

    private func askForTokens(of binding: CardBinding, card: CardKey) async throws(Problem) {
        guard let connection = directory.connections[binding.connection],
            let provider = connection.provider as? any TokenDirectory, type(of: provider).listsTokens
        else { return }
        let asked = clock.now
        let tokens = try await call(connection) { () throws(ProvisioningError) in
            try await provider.tokens(of: binding, deadline: .now + Self.tokenCallPatience)
        }
        do throws(StoreFailure) {
            _ = try await store.settle(
                TokenReport(
                    card: card, provider: connection.descriptor.id, connection: connection.name,
                    providerCardID: binding.providerCardID, source: .probe, tokens: tokens, observedAt: asked,
                    receivedAt: clock.now))
        } catch {
            throw Problem(store: error)
        }
    }
}
