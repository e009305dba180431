import Provisioning

extension Reservation {
    /// Whether the card is now what the gateway planned with, and its binding may serve the attempt.
    ///
    /// - Parameters:
    ///   - cardholderID: Whose card it is now.
    ///   - cardholderName: Their name.
    ///   - title: The card's name for people.
    ///   - bindings: The card's bindings.
    ///   - migration: What the migration in force means for the card.
    func isPlanned(
        cardholderID: String, cardholderName: String, title: String?, bindings: [StoredBinding],
        under migration: CardMigration?
    ) -> Bool {
        cardholderID == card.cardholderID && cardholderName == card.cardholderName && title == card.title
            && CardRouting.allows(card.binding, by: detour, bindings, in: migration)
    }
}
