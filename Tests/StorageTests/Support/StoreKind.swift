import PostgreSQLServer
import Provisioning
import SecretMemory
import Testing

@testable import Storage

/// A kind of store that keeps the contract of ``Store``. The contract's suites run once for each.
struct StoreKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Runs `body` on an empty store.
    let with: @Sendable (_ body: @Sendable (any StoreUnderTest) async throws -> Void) async throws -> Void

    /// Every kind. A further store is one more row.
    static let all = [sqlite, postgreSQL]

    static let sqlite = StoreKind(testDescription: "SQLite") { body in
        let folder = try TemporaryFolder()
        let test = SQLiteUnderTest(path: folder.file("passgate.db"))
        try await body(test)
    }

    static let postgreSQL = StoreKind(testDescription: "PostgreSQL") { body in
        try await SpareSchemas.with(body)
    }
}

/// A store that a test can open several times over the same data.
protocol StoreUnderTest: Sendable {
    /// Opens the store: each time another instance, as another process would.
    func open() async throws -> any GatewayStore

    /// Gives a card a second binding, through a store that was opened.
    func addStandby(_ binding: StoredBinding, to card: CardKey, in store: any Store) async throws
}

struct SQLiteUnderTest: StoreUnderTest {
    let path: String

    func open() throws -> any GatewayStore { try openSQLite() }

    func addStandby(_ binding: StoredBinding, to card: CardKey, in store: any Store) async throws {
        try await (store as? SQLiteStore)?.writer.write { database in
            guard let number = try database.cards.number(of: card) else { return }
            try database.bindings.insert(binding, card: number)
        }
    }

    func openSQLite() throws -> SQLiteStore {
        try SQLiteStore(path: path, audit: .sample) { Moment.start }
    }
}

struct PostgreSQLUnderTest: StoreUnderTest {
    let url: SecretText
    private let stores = OpenedStores()

    init(url: SecretText) { self.url = url }

    func open() async throws -> any GatewayStore { try await openPostgreSQL() }

    /// Closes what the test opened.
    func close() async { for store in stores.take() { await store.close() } }

    func addStandby(_ binding: StoredBinding, to card: CardKey, in store: any Store) async throws {
        try await (store as? PostgreSQLStore)?.change { $0.insert(binding, of: card) }
    }

    func openPostgreSQL() async throws -> PostgreSQLStore {
        let store = try await PostgreSQLStore(url: url, audit: .sample, connections: 6) { Moment.start }
        stores.add(store)
        return store
    }
}

extension AuditChain {
    /// A chain over a digest that stands in for an HMAC: it depends on every byte and on their order.
    static let sample = AuditChain { bytes in
        var words: [UInt64] = [1, 2, 3, 4]
        for (offset, byte) in bytes.enumerated() {
            words[offset % 4] = (words[offset % 4] ^ UInt64(byte)) &* 0x100_0000_01b3 &+ words[(offset + 1) % 4]
        }
        return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// The sequence of the first entry that is not as it should be; nil where all are.
    func firstBreak(in entries: [StoredAuditEntry], after previous: StoredAuditEntry? = nil) -> Int64? {
        var verifier = AuditVerifier(self, program: "rides", after: previous)
        for entry in entries { verifier.take(entry) }
        return verifier.finish().findings.first?.first
    }
}
