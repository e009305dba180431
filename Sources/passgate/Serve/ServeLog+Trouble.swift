import Gateway
import Storage

extension ServeLog {
    /// Writes what the store could not do.
    func trouble(_ trouble: StoreTrouble) {
        var members: [(name: String, value: Value)] = [("message", .text(trouble.failure.words))]
        if let provisioning = trouble.provisioning { members.append(("provisioning", .text(provisioning))) }
        event("store_trouble", level: .error, members)
    }

    /// Writes that a guard stopped a migration, and why.
    func guardStopped(_ stop: GuardStop) {
        event(
            "migration_stopped", level: .warning,
            [
                ("migration", .text(stop.migration.id)), ("program", .text(stop.migration.program)),
                ("status", .text(stop.migration.status.rawValue)), ("message", .text(stop.migration.why ?? "")),
            ])
    }
}

extension StoreFailure {
    /// Why, in words that follow the store's name.
    var words: String {
        switch self {
        case .unavailable(let why): "cannot be reached: \(why)"
        case .unwritable(let why): "cannot be written: \(why)"
        case .newerSchema(let found, let known):
            "was made by a newer passgate: its schema is \(found), this one knows up to \(known)"
        case .invalidCursor: "was given a cursor of another list"
        case .uncertain(let why): "did not answer: \(why)"
        case .broken(let why): "is damaged: \(why)"
        }
    }
}
