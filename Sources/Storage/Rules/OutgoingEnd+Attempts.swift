extension OutgoingEnd {
    /// How many tries a delivery's log holds.
    private static let attemptLimit = 32

    /// The tries with this one, as far as there is room for it.
    func adding(to attempts: [StoredDelivery.Attempt]) -> [StoredDelivery.Attempt] {
        guard let attempt, attempts.count < Self.attemptLimit else { return attempts }
        return attempts + [attempt]
    }
}

extension StoredDestination {
    /// The destination with another secret, and the one before it for a while.
    func taking(_ rotation: SecretRotation) -> StoredDestination {
        var destination = self
        destination.formerSealedSecret = sealedSecret
        destination.formerUntil = rotation.formerUntil
        destination.sealedSecret = rotation.sealedSecret
        destination.updatedAt = rotation.at
        return destination
    }
}
