import Crypto
public import Provisioning

/// Who serves a card: the one function that decides it, for every reader and within every reservation.
public enum CardRouting {
    /// How many buckets cardholders fall into: one for each basis point.
    public static let buckets = 10_000

    /// The binding that serves a card: of a card in the cohort of a live migration, its binding at `to`, if that is
    /// usable; else the active one. Nil where neither is there.
    public static func serving(_ bindings: [StoredBinding], in migration: CardMigration?) -> StoredBinding? {
        if let migration, migration.mode == .live, migration.isInCohort,
            let target = bindings.usable(at: migration.to)
        {
            return target
        }
        return bindings.first { $0.state == .active }
    }

    /// The side of a live migration that does not serve the card, where it could: for an app that cannot do with the one
    /// that does. Nil once the migration is over.
    public static func otherSide(_ bindings: [StoredBinding], in migration: CardMigration?) -> StoredBinding? {
        guard let migration, migration.mode == .live, !migration.isCompleted,
            let serving = serving(bindings, in: migration)
        else { return nil }
        if serving.card.connection != migration.to { return bindings.usable(at: migration.to) }
        return bindings.first { $0.state == .active && $0.card.connection != migration.to }
            ?? bindings.usable(at: migration.from)
    }

    /// Whether a binding may serve an attempt.
    ///
    /// - Parameters:
    ///   - planned: The binding that the attempt was planned with.
    ///   - detour: Why it is not the one that routing gave; nil where it is.
    ///   - bindings: The card's bindings now.
    ///   - migration: What the migration in force means for the card now.
    public static func allows(
        _ planned: CardBinding, by detour: Detour?, _ bindings: [StoredBinding], in migration: CardMigration?
    ) -> Bool {
        let serving = serving(bindings, in: migration)
        guard let detour else { return serving?.card == planned }
        guard let binding = bindings.first(where: { $0.card == planned }) else { return false }
        // A repeat ends where it began, even at a binding that serves nothing new.
        if detour.reason == .repeat { return true }
        return serving?.card.connection == detour.routed
            && honours(binding, under: detour.migration, bindings, in: migration)
    }

    /// Whether a binding that was promised under a migration may still serve: while that migration is in force, either of
    /// its sides may; the active binding always may, until `to` has taken over for good.
    public static func honours(
        _ binding: StoredBinding, under promised: String?, _ bindings: [StoredBinding], in migration: CardMigration?
    ) -> Bool {
        if binding.card == serving(bindings, in: migration)?.card { return true }
        guard binding.state.isUsable else { return false }
        guard let migration else { return false }
        if migration.isCompleted { return false }
        if binding.state == .active { return true }
        return migration.mode == .live && migration.id == promised
            && [migration.from, migration.to].contains(binding.card.connection)
    }

    /// The cardholder's bucket in a migration: the first 8 bytes, big endian, of SHA-256 over the migration's id, a zero
    /// byte and the cardholder's id, modulo 10 000. Ids are hashed as their UTF-8 text.
    public static func bucket(migration: String, cardholder: String) -> Int {
        let digest = SHA256.digest(of: Array(migration.utf8) + [0] + Array(cardholder.utf8))
        return Int(digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(buckets))
    }

    /// Whether a cardholder's cards are in a cohort of so many basis points.
    public static func isIn(basisPoints: Int, migration: String, cardholder: String) -> Bool {
        basisPoints >= buckets || bucket(migration: migration, cardholder: cardholder) < basisPoints
    }
}

extension StoredBinding.State {
    /// Whether a binding can serve something new.
    public var isUsable: Bool { self != .retired }
}

extension [StoredBinding] {
    /// The binding at a connection, where it can serve something new.
    fileprivate func usable(at connection: String) -> StoredBinding? {
        first { $0.card.connection == connection && $0.state.isUsable }
    }
}

extension StoredCard {
    /// The binding that serves the card's next attempt; nil where none does.
    public var servingBinding: StoredBinding? { CardRouting.serving(bindings, in: migration) }
    /// The side of a live migration that does not serve it, where it could.
    public var otherBinding: StoredBinding? { CardRouting.otherSide(bindings, in: migration) }
}
