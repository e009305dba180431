/// A change of a token that a platform can ask for.
public enum TokenChange: String, Sendable, CaseIterable {
    /// Make it unusable for now.
    case suspend
    /// Lift the suspension. Another party's suspension may stay.
    case resume
    /// Remove it for good.
    case delete

    /// Whether a token that stands so can be asked to change so. What is gone for good stays gone, and what is not yet
    /// usable can only be removed.
    public func isAllowed(from status: TokenStatus) -> Bool {
        if status.isFinal { return false }
        return switch (self, status) {
        case (.delete, _), (_, .unknown): true
        case (.suspend, .active), (.suspend, .suspended), (.resume, .suspended): true
        case (.suspend, _), (.resume, _): false
        }
    }
}
