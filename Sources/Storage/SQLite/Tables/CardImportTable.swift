import Provisioning
import SQLite

/// The imports that are under way.
struct CardImportTable {
    let connection: Connection

    /// The import of that id.
    func cardImport(_ id: String) throws -> StoredCardImport? {
        try connection.first("SELECT * FROM card_import WHERE id = ?", .text(id), as: Self.decode)
    }

    /// Writes how far an import has come.
    func write(_ run: StoredCardImport) throws {
        try connection.run(
            """
            INSERT OR REPLACE INTO card_import (id, program, actor, touched_at, imported, updated, failed, digest)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, .text(run.id), .text(run.program), .text(run.actor), .integer(run.touchedAt.milliseconds),
            .integer(run.imported), .integer(run.updated), .integer(run.failed), .text(run.digest))
    }

    /// Forgets an import.
    func delete(_ id: String) throws { try connection.run("DELETE FROM card_import WHERE id = ?", .text(id)) }

    /// The imports that nothing was heard of since a moment.
    func untouched(since moment: Timestamp, atMost limit: Int) throws -> [StoredCardImport] {
        try connection.all(
            "SELECT * FROM card_import WHERE touched_at < ? ORDER BY touched_at LIMIT ?",
            .integer(moment.milliseconds), .integer(Int64(limit)), as: Self.decode)
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) -> StoredCardImport {
        StoredCardImport(
            id: row.text(0), program: row.text(1), actor: row.text(2),
            touchedAt: Timestamp(milliseconds: row.integer(3)), imported: row.integer(4), updated: row.integer(5),
            failed: row.integer(6), digest: row.text(7))
    }
}
