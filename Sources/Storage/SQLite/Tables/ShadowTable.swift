import Provisioning
import SQLite

/// What shadows found, and how often.
struct ShadowTable {
    let connection: Connection

    /// Adds to how often a finding was made.
    func add(_ count: Int, of finding: ShadowFinding) throws {
        try connection.run(
            """
            INSERT INTO shadow_finding (migration, wallet, kind, count) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (migration, wallet, kind) DO UPDATE SET count = count + ?4
            """, .text(finding.migration), .text(finding.wallet.rawValue), .text(finding.kind.rawValue),
            .integer(Int64(count)))
    }

    /// What a migration found.
    func findings(of migration: String) throws -> [ShadowFinding: Int] {
        let rows = try connection.all(
            "SELECT wallet, kind, count FROM shadow_finding WHERE migration = ?", .text(migration)
        ) { try Self.decode($0, of: migration) }
        return Dictionary(rows) { first, _ in first }
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R, of migration: String) throws
        -> (ShadowFinding, Int)
    {
        let finding = ShadowFinding(
            migration: migration, wallet: try Wallet(stored: row.text(0)),
            kind: try ShadowFinding.Kind(stored: row.text(1)))
        return (finding, Int(row.integer(2)))
    }
}
