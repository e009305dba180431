/// What an API key allows. No scope implies another.
public enum Scope: String, Sendable, CaseIterable, Hashable {
    /// Read cards and ask for their wallets.
    case cardsRead = "cards:read"
    /// Create, change and erase cards.
    case cardsWrite = "cards:write"
    /// Add cards to wallets.
    case provisioningWrite = "provisioning:write"
    /// Read attempts.
    case provisioningRead = "provisioning:read"
    /// Read tokens.
    case tokensRead = "tokens:read"
    /// Suspend, resume and delete tokens.
    case tokensWrite = "tokens:write"
    /// Read events and their destinations.
    case eventsRead = "events:read"
    /// Change event destinations.
    case eventsWrite = "events:write"
    /// Move cards between processors.
    case switchingWrite = "switching:write"
    /// Open the console, and nothing else.
    case admin
}
