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
        let planned = reservation.card
        let isAsPlanned =
            standing.cardholderID == planned.cardholderID && standing.cardholderName == planned.cardholderName
            && standing.title == planned.title
            && CardRouting.allows(planned.binding, by: reservation.detour, standing.bindings, in: migration)
        return (isAsPlanned ? nil : .cardChanged, migration)
    }
}
