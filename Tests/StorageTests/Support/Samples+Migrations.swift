import Provisioning
import Storage

extension StoredMigration {
    /// A migration of the program `rides` from `increase_main` to `stripe_us`, just opened.
    static func sample(
        _ id: String = "mig_1", program: String = "rides", mode: Mode = .live, cohort: Cohort = .everyone,
        at moment: Timestamp = Moment.start
    ) -> StoredMigration {
        StoredMigration(
            id: id, program: program, from: "increase_main", to: "stripe_us", mode: mode, cohort: cohort,
            guard: Guard(minAttempts: 200, margin: 0.05, action: .rollback), at: moment)
    }
}

extension MigrationStep {
    static func sample(_ action: Action, of id: String = "mig_1", program: String = "rides", after: Int64 = 1000)
        -> MigrationStep
    {
        MigrationStep(migration: id, program: program, action: action, at: Moment.after(after))
    }
}

extension CardBinding {
    static func stripe(_ id: String) -> CardBinding {
        CardBinding(connection: "stripe_us", providerCardID: id, last4: "1881", network: .mastercard)
    }
}

extension CardMigration {
    static func sample(
        _ id: String = "mig_1", mode: StoredMigration.Mode = .live, isInCohort: Bool = true, isCompleted: Bool = false
    ) -> CardMigration {
        CardMigration(
            id: id, mode: mode, from: "increase_main", to: "stripe_us", isInCohort: isInCohort,
            isCompleted: isCompleted)
    }
}
