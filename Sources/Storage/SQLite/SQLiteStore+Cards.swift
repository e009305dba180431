public import Provisioning

extension SQLiteStore {
    // MARK: Bindings and imports

    /// Gives a card a binding, or changes the one that it has at the connection.
    public func putBinding(_ draft: BindingDraft, audit: AuditActor) async throws(StoreFailure) -> PutBindingResult {
        defer { recent.forget(draft.key) }
        return try await writer.write { try $0.putBinding(draft, by: audit) }
    }

    /// Writes a part of an import in one transaction.
    public func importCards(_ part: CardImportPart) async throws(StoreFailure) -> [PutCardResult] {
        defer { recent.forget(part.drafts.lazy.map(\.key)) }
        return try await writer.write { try $0.importCards(part) }
    }

    /// Writes an import's entry of the audit trail.
    public func endImport(_ id: String, isWhole: Bool, at now: Timestamp) async throws(StoreFailure) {
        try await writer.write { try $0.endImport(id, isWhole: isWhole, at: now) }
    }
}
