/// What stops a migration by itself.
public struct MigrationGuard: Codable, Hashable, Sendable {
    /// How many attempts each side must have before they are compared.
    public var minAttempts: Int
    /// By how much the new side must fail more often, such as 0.05.
    public var margin: Double
    /// What is done then.
    public var action: GuardAction

    /// Makes it of its members.
    public init(minAttempts: Int, margin: Double, action: GuardAction) {
        self.minAttempts = minAttempts
        self.margin = margin
        self.action = action
    }

    enum CodingKeys: String, CodingKey {
        case margin, action
        case minAttempts = "min_attempts"
    }
}
