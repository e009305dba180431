import PostgreSQL
import Provisioning

extension PostgreSQLDatabase {
    /// Writes a part of an import, and how far it has come. What is decided by is asked for many cards at once; where a
    /// card or a processor's card stands twice, the later one is decided once the earlier one is written.
    func importCards(_ part: CardImportPart) async throws -> [PutCardResult] {
        lock(.trail(part.program))
        let known = sql.ask(
            "SELECT * FROM card_import WHERE id = $1 FOR UPDATE", .text(part.id), as: CardImportTable.decode)
        var results: [PutCardResult] = []
        var rest = part.drafts[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.independentCount(rest))
            rest = rest.dropFirst(batch.count)
            let answers = batch.map(askForDraft)
            try await sql.send()
            results += zip(batch, answers).map { write($0, $1).result }
        }
        if part.drafts.isEmpty { try await sql.send() }
        var run =
            known.first
            ?? StoredCardImport(
                id: part.id, program: part.program, actor: part.actor.name, touchedAt: part.at, imported: 0, updated: 0,
                failed: 0, digest: part.digest)
        run.take(part, results)
        sql.run(
            """
            INSERT INTO card_import (id, program, actor, touched_at, imported, updated, failed, digest)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (id) DO UPDATE SET touched_at = $4, imported = $5, updated = $6, failed = $7, digest = $8
            """, .text(run.id), .text(run.program), .text(run.actor), .integer(run.touchedAt.milliseconds),
            .integer(run.imported), .integer(run.updated), .integer(run.failed), .text(run.digest))
        return results
    }

    /// How many of the drafts, from the first on, do not depend on one another.
    private static func independentCount(_ drafts: ArraySlice<CardDraft>) -> Int {
        var cards: Set<CardKey> = []
        var ids: Set<String> = []
        for (count, draft) in drafts.enumerated() {
            let id = draft.binding.map { "\($0.connection)/\($0.providerCardID)" }
            guard cards.insert(draft.key).inserted, id.map({ ids.insert($0).inserted }) ?? true else { return count }
        }
        return drafts.count
    }

    /// Writes an import's entry of the audit trail, and forgets it. Where it has stored nothing, there is none.
    func endImport(_ id: String, isWhole: Bool, at now: Timestamp) async throws {
        let program = try await sql.first("SELECT program FROM card_import WHERE id = $1", .text(id)) { $0.text(0) }
        guard let program else { return }
        openTrail(of: program)
        let run = try await sql.first(
            "SELECT * FROM card_import WHERE id = $1 FOR UPDATE", .text(id), as: CardImportTable.decode)
        if let run { end(run, isWhole: isWhole, at: now) }
    }

    /// Ends an import that has been silent for too long. False where there is none.
    func endSilentImport(at now: Timestamp) async throws -> Bool {
        let since = now.adding(milliseconds: -Database.importPatienceMilliseconds).milliseconds
        let silent = try await sql.first(
            "SELECT id, program FROM card_import WHERE touched_at < $1 ORDER BY touched_at LIMIT 1", .integer(since)
        ) { (id: $0.text(0), program: $0.text(1)) }
        guard let silent else { return false }
        openTrail(of: silent.program)
        let run = try await sql.first(
            "SELECT * FROM card_import WHERE id = $1 AND touched_at < $2 FOR UPDATE", .text(silent.id),
            .integer(since), as: CardImportTable.decode)
        if let run { end(run, isWhole: false, at: now) }
        return true
    }

    private func end(_ run: StoredCardImport, isWhole: Bool, at now: Timestamp) {
        sql.run("DELETE FROM card_import WHERE id = $1", .text(run.id))
        guard run.imported + run.updated > 0 else { return }
        append(
            "cards.imported", on: run.id, of: run.program, by: AuditActor(name: run.actor), at: now, before: [],
            after: run.members(isWhole: isWhole))
    }
}
