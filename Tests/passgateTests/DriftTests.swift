import Provisioning
import Storage
import Testing

@testable import passgate

@Suite("check says which cards are elsewhere than new ones would be")
struct DriftTests {
    private func register(_ id: String, program: String, at connection: String, in store: SQLiteStore) async throws {
        let result = try await store.putCard(
            CardDraft(
                key: CardKey(program: program, id: id),
                binding: CardBinding(
                    connection: connection, providerCardID: "card_\(program)\(id)", last4: "4242", network: .visa),
                cardholderID: "user_1", cardholderName: "Ada Example", title: nil, artURL: nil, metadata: nil,
                at: Timestamp(milliseconds: 0)), audit: AuditActor(name: "test"))
        guard case .created = result else { throw StoreFailure.broken("the card was not made") }
    }

    @Test func aMigrationWhoseSideIsGoneIsNamed() async throws {
        let folder = try Folder()
        let path = folder.path + "/migrations.db"
        let store = try SQLiteStore(path: path, audit: AuditChain { _ in [0] }) { Timestamp(milliseconds: 0) }
        let yaml = Example.yaml("sqlite:passgate.db", "sqlite:\(path)")
        func open(_ id: String, of program: String, to connection: String) async throws {
            _ = try await store.open(
                StoredMigration(
                    id: id, program: program, from: "main", to: connection, mode: .live, cohort: .everyone,
                    at: Timestamp(milliseconds: 0)), listing: [], audit: AuditActor(name: "test"))
        }
        try await open("mig_1", of: "rides", to: "spare")
        #expect(try await Gate.run(["check"], configuration: yaml).output == "passgate.yaml can be used")
        _ = try await store.take(
            MigrationStep(migration: "mig_1", program: "rides", action: .rollback, at: Timestamp(milliseconds: 0)),
            audit: AuditActor(name: "test"))
        try await open("mig_2", of: "rides", to: "gone")
        try await open("mig_3", of: "former", to: "main")
        let (code, output) = try await Gate.run(["check"], configuration: yaml)
        #expect(code == 0)
        #expect(
            output.contains(
                "warning: connections: the migration mig_2 (open) of `rides` names `gone` as its `to`, which is not here"
            ))
        #expect(output.contains("warning: programs: the migration mig_3 (open) is about `former`, which is not here"))
        #expect(!output.contains("mig_1") && output.hasSuffix("passgate.yaml can be used, 2 warnings"))
        await store.close()
    }

    @Test func theStoresCardsAreComparedWithTheConfiguration() async throws {
        let folder = try Folder()
        let path = folder.path + "/cards.db"
        let store = try SQLiteStore(path: path, audit: AuditChain { _ in [0] }) { Timestamp(milliseconds: 0) }
        try await register("a", program: "rides", at: "main", in: store)
        let yaml = Example.yaml("sqlite:passgate.db", "sqlite:\(path)")
        #expect(try await Gate.run(["check"], configuration: yaml).output == "passgate.yaml can be used")
        try await register("b", program: "rides", at: "spare", in: store)
        try await register("c", program: "rides", at: "gone", in: store)
        try await register("d", program: "rides", at: "gone", in: store)
        try await register("e", program: "former", at: "main", in: store)
        let (code, output) = try await Gate.run(["check"], configuration: yaml)
        #expect(code == 0)
        let place = "programs.rides.connection"
        #expect(output.contains("warning: \(place): the store has 1 card at `spare`, served there"))
        #expect(output.contains("warning: \(place): the store has 2 cards at `gone`, which the program does not"))
        #expect(output.contains("warning: programs: the store has 1 card of `former`, which is not here"))
        #expect(output.hasSuffix("passgate.yaml can be used, 3 warnings"))
        await store.close()
    }
}
