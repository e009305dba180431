import Provisioning
import Storage
import Testing

/// A store whose cards are moved from one connection to another.
struct MigrationHouse {
    let test: any StoreUnderTest
    let store: any Store & AuditTrail

    let from = CardBinding.increase("card_ridescard_1")
    let to = CardBinding.stripe("ic_ridescard_1")

    /// Runs `body` on an empty store.
    static func with(_ kind: StoreKind, _ body: @Sendable (MigrationHouse) async throws -> Void) async throws {
        try await kind.with { test in
            try await body(MigrationHouse(test: test, store: try await test.open()))
        }
    }

    /// A card that is active at `increase_main`, with a standby binding at `stripe_us` unless told otherwise.
    func card(
        _ id: String = "card_1", program: String = "rides", cardholder: String = "user_1", isBound: Bool = true
    ) async throws {
        _ = try await store.putCard(
            .sample(id, program: program, provider: "card_\(program)\(id)", cardholder: cardholder), audit: .backend)
        guard isBound else { return }
        try await test.addStandby(
            StoredBinding(card: .stripe("ic_\(program)\(id)"), state: .standby),
            to: CardKey(program: program, id: id), in: store)
    }

    func reservation(_ id: String, card: String = "card_1", at binding: CardBinding, detour: Detour? = nil)
        -> Reservation
    {
        var record = StoredProvisioning.sample(id, card: card)
        record.connection = binding.connection
        record.providerCardID = binding.providerCardID
        return Reservation(
            record: record, card: .sample(binding), detour: detour, handshakeDigest: nil,
            handshakeExpiresAt: Moment.after(Moment.day), idempotency: nil)
    }

    func open(_ migration: StoredMigration = .sample(), listing cards: [String] = []) async throws {
        guard case .opened = try await store.open(migration, listing: cards, audit: .backend) else {
            Issue.record("it was not opened")
            return
        }
    }

    func serving(_ id: String = "card_1") async throws -> String? {
        try await store.card(.rides(id))?.servingBinding?.card.connection
    }
}
