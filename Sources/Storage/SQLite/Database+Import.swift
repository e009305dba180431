import Provisioning

extension Database {
    /// From how long a silence on an import is taken to have broken off.
    static let importPatienceMilliseconds: Int64 = 15 * 60_000

    /// Writes a part of an import, and how far it has come.
    func importCards(_ part: CardImportPart) throws -> [PutCardResult] {
        var run =
            try imports.cardImport(part.id)
            ?? StoredCardImport(
                id: part.id, program: part.program, actor: part.actor.name, touchedAt: part.at, imported: 0, updated: 0,
                failed: 0, digest: part.digest)
        let results = try part.drafts.map { try write($0).result }
        run.take(part, results)
        try imports.write(run)
        return results
    }

    /// Writes an import's entry of the audit trail, and forgets it. Where it has stored nothing, there is none.
    func endImport(_ id: String, isWhole: Bool, at now: Timestamp) throws {
        guard let run = try imports.cardImport(id) else { return }
        try end(run, isWhole: isWhole, at: now)
    }

    /// Ends the imports that have been silent for too long, and answers how many.
    func endSilentImports(at now: Timestamp, atMost limit: Int) throws -> Int {
        let silent = try imports.untouched(
            since: now.adding(milliseconds: -Self.importPatienceMilliseconds), atMost: limit)
        for run in silent { try end(run, isWhole: false, at: now) }
        return silent.count
    }

    private func end(_ run: StoredCardImport, isWhole: Bool, at now: Timestamp) throws {
        try imports.delete(run.id)
        guard run.imported + run.updated > 0 else { return }
        try audit.append(
            "cards.imported", on: run.id, of: run.program, by: AuditActor(name: run.actor), at: now, before: [],
            after: run.members(isWhole: isWhole))
    }
}
