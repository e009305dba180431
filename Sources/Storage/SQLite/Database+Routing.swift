import Provisioning

extension Database {
    /// Decides who serves a reservation's card, within its transaction, and compares that with what the gateway planned
    /// with. Nil, and the migration in force where there is one, where all is as planned.
    func compare(_ reservation: Reservation) throws -> (result: ReservationResult?, migration: CardMigration?) {
        let key = reservation.record.card
        guard let standing = try bindings.standing(of: key) else { return (.cardGone, nil) }
        let migration = try migrations.inForce(program: key.program).map {
            try migrations.meaning(of: $0, for: key.id, ofCardholder: standing.cardholderID)
        }
        let isAsPlanned = reservation.isPlanned(
            cardholderID: standing.cardholderID, cardholderName: standing.cardholderName, title: standing.title,
            bindings: standing.bindings, under: migration)
        return (isAsPlanned ? nil : .cardChanged, migration)
    }
}
