import Provisioning

extension CardMigration {
    /// What a migration that is in force means for one of its program's cards.
    ///
    /// - Parameters:
    ///   - migration: The migration.
    ///   - cardholder: Whose card it is.
    ///   - isListed: Whether the migration lists the card. Asked where it goes by a list.
    init(_ migration: StoredMigration, ofCardholder cardholder: String, isListed: () throws -> Bool) rethrows {
        let isInCohort =
            switch migration.cohort {
            case .percent(let basisPoints):
                CardRouting.isIn(basisPoints: basisPoints, migration: migration.id, cardholder: cardholder)
            case .cards: try isListed()
            }
        self.init(
            id: migration.id, mode: migration.mode, from: migration.from, to: migration.to, isInCohort: isInCohort,
            isCompleted: migration.status == .completed)
    }
}
