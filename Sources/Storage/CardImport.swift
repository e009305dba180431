public import Provisioning

/// A part of an import: cards to create or change in one transaction. The parts of an import are one entry of the audit
/// trail, which its end writes, or the sweep where an end never comes.
public struct CardImportPart: Sendable {
    /// The import's id.
    public var id: String
    /// The program of every card.
    public var program: String
    /// Who imports.
    public var actor: AuditActor
    /// The cards, in the order of their lines.
    public var drafts: [CardDraft]
    /// How many lines of the part are no cards.
    public var refusedLines: Int
    /// A keyed digest of every line so far, as text.
    public var digest: String
    /// When it is.
    public var at: Timestamp

    /// Makes a part of its members.
    public init(
        id: String, program: String, actor: AuditActor, drafts: [CardDraft], refusedLines: Int, digest: String,
        at: Timestamp
    ) {
        self.id = id
        self.program = program
        self.actor = actor
        self.drafts = drafts
        self.refusedLines = refusedLines
        self.digest = digest
        self.at = at
    }
}

/// An import that is under way, as it is kept until it ends.
struct StoredCardImport: Sendable, Equatable {
    var id: String
    var program: String
    var actor: String
    /// When its last part came.
    var touchedAt: Timestamp
    var imported: Int64
    var updated: Int64
    var failed: Int64
    var digest: String

    /// Counts what became of a part.
    mutating func take(_ part: CardImportPart, _ results: [PutCardResult]) {
        touchedAt = max(touchedAt, part.at)
        digest = part.digest
        failed += Int64(part.refusedLines)
        for result in results {
            switch result {
            case .created: imported += 1
            case .updated: updated += 1
            case .incomplete, .bindingConflict, .boundElsewhere: failed += 1
            }
        }
    }

    /// What the audit trail keeps of it.
    ///
    /// - Parameter isWhole: Whether it came to its end.
    func members(isWhole: Bool) -> [AuditMember] {
        let plain = [
            ("imported", "\(imported)"), ("updated", "\(updated)"), ("failed", "\(failed)"),
            ("end", isWhole ? "whole" : "broken_off"),
        ]
        return plain.map { AuditMember(name: $0.0, value: $0.1, isDigest: false) }
            + [AuditMember(name: "lines", value: digest, isDigest: true)]
    }
}
