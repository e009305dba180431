import ProviderKit
public import Provisioning
public import Storage

extension Gateway {
    /// Gives a card a binding, or changes the one that it has at the connection. Who is made active is the only one that
    /// is; who was active before is standby.
    ///
    /// - Returns: The card, and whether it has one binding more.
    /// - Throws: `connection_not_found` where the program has no such connection; `card_not_found`; `invalid_request` at
    ///   the member at fault; `binding_conflict` where another card of the program has the processor's card, or none
    ///   would be active; `provider_card_not_found` where another program has it, or it is not that cardholder's.
    public func putBinding(
        _ binding: CardBinding, of key: CardKey, state: StoredBinding.State, actor: AuditActor
    ) async throws(Problem) -> (card: StoredCard, isNew: Bool) {
        let program = try program(key.program)
        guard program.connections.contains(binding.connection) else { throw Problem(.connectionNotFound) }
        let connection = try check(binding, of: program, at: "")
        _ = try await card(key)
        let draft = BindingDraft(
            key: key, binding: try await verified(binding, at: connection), state: state,
            providers: directory.connections.mapValues(\.descriptor.id), at: clock.now)
        let result: PutBindingResult
        do throws(StoreFailure) {
            result = try await store.putBinding(draft, audit: actor)
        } catch {
            throw Problem(store: error)
        }
        switch result {
        case .created(let card): return (card, true)
        case .updated(let card): return (card, false)
        case .unknownCard: throw Problem(.cardNotFound)
        case .leavesNoneActive(let others): throw Self.noneActive(others)
        case .bindingConflict: throw Problem(.bindingConflict)
        case .boundElsewhere: throw Problem(.providerCardNotFound)
        }
    }

    private static func noneActive(_ others: [String]) -> Problem {
        let advice =
            others.isEmpty
            ? "give the card another binding with the state `active` first"
            : "make another one active first: " + others.map { "`\($0)`" }.joined(separator: " or ")
        return .member(
            "/state", "would leave the card without an active binding; \(advice)", code: .bindingConflict)
    }

    /// The connection that a binding names, if it is one of the program's and takes such a card.
    ///
    /// - Parameter pointer: Where the binding stands in the request.
    /// - Throws: `invalid_request` at the member at fault.
    func check(_ binding: CardBinding, of program: Program, at pointer: String) throws(Problem) -> Connection {
        guard program.connections.contains(binding.connection),
            let connection = directory.connections[binding.connection]
        else {
            throw .member("\(pointer)/connection", "is not one of the program's connections")
        }
        if !connection.descriptor.cardIDPattern.matches(binding.providerCardID) {
            throw .member(
                "\(pointer)/provider_card_id",
                "is not of the form of \(connection.descriptor.displayName)'s card ids")
        }
        do throws(ProvisioningError) { try connection.provider.check(binding) } catch {
            throw .member(pointer + (error.pointer ?? ""), error.detail ?? "is not what the processor needs")
        }
        return connection
    }

    /// The binding with its cardholder at the processor, where the processor has cardholders: the given one must be the
    /// processor's own, and one that is not given is learnt from it.
    ///
    /// - Parameter canWait: Whether provisionings come first.
    func verified(_ binding: CardBinding, at connection: Connection, canWait: Bool = false) async throws(Problem)
        -> CardBinding
    {
        guard let owner = connection.provider as? any CardOwnership else { return binding }
        let pass = try enter(connection, isRead: canWait)
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
