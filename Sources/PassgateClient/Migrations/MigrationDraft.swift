/// A migration to be opened.
public struct MigrationDraft: Codable, Hashable, Sendable {
    /// The program: the request's.
    public var program: String
    /// The connection that serves now.
    public var from: String
    /// The connection that shall serve.
    public var to: String
    /// What it does with its cohort.
    public var mode: MigrationMode
    /// Who is in it at first.
    public var cohort: Cohort
    /// What stops it by itself.
    public var guardRule: MigrationGuard?
    /// Whether it may keep somebody from adding a card.
    public var allowStranded: Bool?

    /// Makes it of its members.
    public init(
        program: String, from: String, to: String, mode: MigrationMode, cohort: Cohort,
        guardRule: MigrationGuard? = nil, allowStranded: Bool? = nil
    ) {
        self.program = program
        self.from = from
        self.to = to
        self.mode = mode
        self.cohort = cohort
        self.guardRule = guardRule
        self.allowStranded = allowStranded
    }

    enum CodingKeys: String, CodingKey {
        case program, from, to, mode, cohort
        case guardRule = "guard"
        case allowStranded = "allow_stranded"
    }
}
