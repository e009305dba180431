import ProviderKit
public import Provisioning
public import Storage

extension Gateway {
    /// Has a token changed by its processor. A binding that serves its card no longer still changes its tokens.
    ///
    /// - Returns: The token as the processor says that it stands now, which need not be as asked: who lifts a suspension
    ///   lifts only its own.
    /// - Throws: `token_not_found`; `operation_unsupported`, before any call, where the processor changes no tokens;
    ///   `token_transition_invalid` where the token's state does not allow it; the processor's failure.
    public func change(_ id: String, program: String, by change: TokenChange, actor: AuditActor)
        async throws(Problem) -> StoredToken
    {
        var token = try await storedToken(id, program: program)
        guard let place = try await place(of: token), let provider = place.connection.provider as? any TokenLifecycle
        else { throw Problem(.operationUnsupported) }
        if !change.isAllowed(from: token.sighting.status), !token.sighting.status.isFinal {
            // It may have moved on since it was last heard of.
            token = try await read(token, at: place, from: provider)
        }
        guard change.isAllowed(from: token.sighting.status) else {
            throw Problem(
                .tokenTransitionInvalid,
                detail: "A token that is \(token.sighting.status.rawValue) cannot be changed by \(change.rawValue).")
        }
        let asked = clock.now
        let key = makeID("change_")
        var note = TokenChangeNote(
            token: token.id, change: change, former: token.sighting.status, status: nil, actor: actor)
        let sighting: TokenSighting
        do throws(Problem) {
            sighting = try await call(place.connection) { () throws(ProvisioningError) in
                try await provider.change(
                    token.sighting.id, of: place.binding, by: change, idempotencyKey: key,
                    deadline: .now + Self.tokenCallPatience)
            }
        } catch {
            if error.outcome == .unknown { try await keep(note, of: token) }
            throw error
        }
        note.status = sighting.status
        return try await keep(sighting, of: token, askedAt: asked, change: note)
    }

    /// Keeps that somebody asked for a change whose outcome is not known.
    private func keep(_ note: TokenChangeNote, of token: StoredToken) async throws(Problem) {
        let now = clock.now
        do throws(StoreFailure) {
            _ = try await store.settle(
                TokenReport(
                    card: token.card, provider: token.provider, connection: token.connection,
                    providerCardID: token.providerCardID, source: .probe, tokens: [], observedAt: now,
                    receivedAt: now, change: note))
        } catch {
            throw Problem(store: error)
        }
    }
}
