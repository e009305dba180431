/// Why an attempt is served by another side than the one that routing gives.
public struct Detour: Sendable, Equatable {
    /// What leads away from it.
    public enum Reason: String, Sendable, CaseIterable {
        /// A plan that was made before the cohort grew.
        case plan
        /// The app build does not know the routed side's handoff.
        case accept
        /// The request is the repeat of one that another side served.
        case `repeat`
    }

    /// What leads away from it.
    public var reason: Reason
    /// The connection that routing gave when the attempt was planned; nil where it gave none.
    public var routed: String?
    /// The migration that the plan was made under, or that has the other side.
    public var migration: String?

    /// Makes a detour of its members.
    public init(reason: Reason, routed: String?, migration: String?) {
        self.reason = reason
        self.routed = routed
        self.migration = migration
    }
}
