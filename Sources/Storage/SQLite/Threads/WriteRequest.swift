/// A change on its way to the writer's thread. Its caller is told once: by `fail`, or by what `perform` returned.
struct WriteRequest: Sendable {
    /// When its caller began to wait.
    let queuedAt = ContinuousClock.now
    /// Makes the change within the group's transaction, and answers what tells the caller once that is committed.
    let perform: @Sendable (Database) throws -> @Sendable () -> Void
    /// Tells the caller that the change was not made.
    let fail: @Sendable (StoreFailure) -> Void
}
