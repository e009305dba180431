public import SecretMemory
public import Storage

/// What to import, and how.
public struct CardImportOrder: Sendable {
    /// The program of every card.
    public var program: String
    /// Who imports.
    public var actor: AuditActor
    /// How many bytes a line may have.
    public var lineLimit: Int
    /// Reads one line.
    public var read: @Sendable (SecretBytes) throws(Problem) -> CardDraft
    /// Is told how far it has come, each time a part was stored.
    public var progress: @Sendable (CardImportReport) -> Void

    /// Makes an order of its members.
    public init(
        program: String, actor: AuditActor, lineLimit: Int,
        read: @escaping @Sendable (SecretBytes) throws(Problem) -> CardDraft,
        progress: @escaping @Sendable (CardImportReport) -> Void = { _ in }
    ) {
        self.program = program
        self.actor = actor
        self.lineLimit = lineLimit
        self.read = read
        self.progress = progress
    }
}
