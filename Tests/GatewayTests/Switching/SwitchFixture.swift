import Provisioning
import Storage

@testable import Gateway

/// A gateway whose program moves from `scripted_main` to `next_main`.
struct SwitchFixture {
    static let card = CardKeyFixture.card

    let base: GatewayFixture
    let next = NextProvider()
    var gateway: Gateway { base.gateway }

    init() throws { base = try GatewayFixture(attemptsPerMinute: 1000, others: [next.connection]) }

    /// A card that is active at `scripted_main`, with a standby binding at `next_main` unless told otherwise.
    func register(_ id: String = "card-0001", isBound: Bool = true) async throws {
        let digits = String(id.filter(\.isNumber))
        try await base.registerCard(id, providerCardID: "card_\(digits)")
        guard isBound else { return }
        _ = try await gateway.putBinding(
            CardBinding(connection: "next_main", providerCardID: "ic_\(digits)", last4: "1881", network: .mastercard),
            of: CardKey(program: "rides", id: id), state: .standby, actor: AuditActor(name: "test"))
    }

    func draft(
        mode: StoredMigration.Mode = .live, cohort: MigrationStep.Growth = .percent(basisPoints: 10_000),
        allowsStranded: Bool = true
    ) -> MigrationDraft {
        MigrationDraft(
            program: "rides", from: "scripted_main", to: "next_main", mode: mode, cohort: cohort, guard: nil,
            allowsStranded: allowsStranded)
    }

    /// Opens a migration, and answers its id.
    @discardableResult
    func open(mode: StoredMigration.Mode = .live, percent: Int = 100) async throws -> String {
        try await gateway.openMigration(
            draft(mode: mode, cohort: .percent(basisPoints: percent * 100)), actor: AuditActor(name: "test")
        ).migration.id
    }

    @discardableResult
    func take(_ action: MigrationStep.Action, with id: String) async throws -> StoredMigration {
        try await gateway.take(action, with: id, program: "rides", actor: AuditActor(name: "test"))
    }

    /// The problem that a step ends in; nil where it is taken.
    func problem(_ action: MigrationStep.Action, with id: String) async -> Problem? {
        do throws(Problem) {
            _ = try await gateway.take(action, with: id, program: "rides", actor: AuditActor(name: "test"))
            return nil
        } catch {
            return error
        }
    }

    /// The problem that opening ends in; nil where it is opened.
    func problem(_ draft: MigrationDraft) async -> Problem? {
        do throws(Problem) {
            _ = try await gateway.openMigration(draft, actor: AuditActor(name: "test"))
            return nil
        } catch {
            return error
        }
    }

    /// A request for Apple Pay by an app build that knows these handoffs. Each number is another handshake.
    func command(_ number: Int = 1, accept: [HandoffType]? = nil, plan: String? = nil, key: String? = nil) throws
        -> ProvisionCommand
    {
        var command = try base.command(nonce: Array("nonce-\(number)".utf8))
        command.accept = accept
        command.plan = plan
        command.idempotency = key.map { key in
            IdempotencyClaim(
                key: IdempotencyKey(program: "rides", route: "POST /v1/cards/card-0001/provisionings", key: key),
                fingerprint: [1])
        }
        return command
    }

    /// The plan that `wallets` gives for Apple Pay now.
    func plan(accept: [HandoffType]? = nil) async throws -> String? {
        try await gateway.wallets(of: Self.card, accept: accept, wallet: .applePay).first?.plan
    }
}
