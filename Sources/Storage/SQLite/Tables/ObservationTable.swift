import Provisioning
import SQLite

/// What attempts say of the side that served them, kept as they end: a guard need not read them all.
struct ObservationTable {
    static let hourMilliseconds: Int64 = 3_600_000
    private static let dayMilliseconds = 24 * hourMilliseconds

    /// Adds an attempt to the observation of its card, wallet and hour. Of each stage the better word stands: nothing,
    /// then failure, then success.
    private static let addition: StaticString = """
        INSERT INTO observation (program, connection, hour, migration, card, wallet, attempts, handed_off,
            is_handed_off, is_active, is_added)
        VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
            attempts = attempts + 1, handed_off = handed_off + excluded.handed_off,
            is_handed_off = nullif(max(ifnull(is_handed_off, -1), ifnull(excluded.is_handed_off, -1)), -1),
            is_active = nullif(max(ifnull(is_active, -1), ifnull(excluded.is_active, -1)), -1),
            is_added = nullif(max(ifnull(is_added, -1), ifnull(excluded.is_added, -1)), -1)
        """
    /// Makes an observation of an attempt where there is none.
    private static let insertion: StaticString = """
        INSERT INTO observation (program, connection, hour, migration, card, wallet, attempts, handed_off,
            is_handed_off, is_active, is_added)
        VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """

    let connection: Connection

    /// Notes how an attempt stands, once it is written.
    ///
    /// - Parameters:
    ///   - migration: The migration that it was reserved under; empty where there was none.
    ///   - isFirst: Whether it has just ended, and was not noted before. Then it is added to what others of its card,
    ///     wallet and hour have said, without reading them: success at any try is success.
    func note(_ record: StoredProvisioning, in migration: String, isFirst: Bool) throws {
        if record.status == .sending { return }
        let verdict = record.verdict
        let isNoted =
            try connection.run(
                isFirst ? Self.addition : Self.insertion, .text(record.card.program), .text(record.connection),
                .integer(Self.hour(of: record.createdAt)),
                .text(migration), .text(record.card.id), .text(record.wallet.rawValue),
                .integer(verdict.isHandedOff == true ? 1 : 0), .word(verdict.isHandedOff), .word(verdict.isActive),
                .word(verdict.isAdded)) == 1
        if !isNoted { try recount(record, in: migration) }
    }

    /// Counts the attempts of a card, wallet and hour anew.
    private func recount(_ record: StoredProvisioning, in migration: String) throws {
        let hour = Self.hour(of: record.createdAt)
        let verdicts = try connection.all(
            """
            SELECT * FROM provisioning_record WHERE program = ? AND card = ? AND connection = ? AND wallet = ?
                AND created_at >= ? AND created_at < ? AND ifnull(migration, '') = ? AND status <> 'sending'
            """, .text(record.card.program), .text(record.card.id), .text(record.connection),
            .text(record.wallet.rawValue), .integer(hour * Self.hourMilliseconds),
            .integer((hour + 1) * Self.hourMilliseconds), .text(migration), as: ProvisioningTable.decode
        ).map(\.element.verdict)
        let joined = AttemptVerdict.joined(verdicts)
        try connection.run(
            """
            UPDATE observation SET attempts = ?, handed_off = ?, is_handed_off = ?, is_active = ?, is_added = ?
            WHERE program = ? AND connection = ? AND hour = ? AND migration = ? AND card = ? AND wallet = ?
            """, .integer(Int64(verdicts.count)), .integer(Int64(verdicts.count { $0.isHandedOff == true })),
            .word(joined.isHandedOff), .word(joined.isActive), .word(joined.isAdded), .text(record.card.program),
            .text(record.connection), .integer(hour), .text(migration), .text(record.card.id),
            .text(record.wallet.rawValue))
    }

    /// Adds up what was observed of a side.
    func tally(_ query: SideQuery) throws -> SideTally {
        let tally = try connection.first(
            """
            SELECT ifnull(sum(attempts), 0), ifnull(sum(handed_off), 0),
                ifnull(sum(handoffs_observed), 0), ifnull(sum(handoffs), 0),
                ifnull(sum(activations_observed + CASE WHEN hour < ?5 THEN awaited ELSE 0 END), 0),
                ifnull(sum(activations), 0),
                ifnull(sum(additions_observed), 0), ifnull(sum(additions), 0)
            FROM observation_sum
            WHERE program = ?1 AND connection = ?2 AND hour >= ?3 AND (?4 IS NULL OR migration = ?4)
            """, .text(query.program), .text(query.connection), .integer(Self.hour(of: query.from)),
            .text(orNull: query.migration), .integer(Self.firstAwaitedHour(at: query.at))
        ) { Self.decode($0) }
        return tally ?? .none
    }

    static func decode<R: StoredRow & ~Copyable>(_ row: borrowing R) -> SideTally {
        SideTally(
            attempts: Int(row.integer(0)), handedOff: Int(row.integer(1)), handoff: stage(row, 2),
            activation: stage(row, 4), addition: stage(row, 6))
    }

    private static func stage<R: StoredRow & ~Copyable>(_ row: borrowing R, _ column: Int32) -> StageTally {
        StageTally(observed: Int(row.integer(column)), succeeded: Int(row.integer(column + 1)))
    }

    /// The first hour whose tokens may still become active at a moment: all of the hours before are a day old.
    static func firstAwaitedHour(at moment: Timestamp) -> Int64 {
        hour(of: moment.adding(milliseconds: -dayMilliseconds))
    }

    /// The number of the hour that a moment is in.
    static func hour(of moment: Timestamp) -> Int64 { moment.milliseconds / hourMilliseconds }
}

extension SideTally {
    /// Nothing was observed.
    static var none: SideTally {
        let none = StageTally(observed: 0, succeeded: 0)
        return SideTally(attempts: 0, handedOff: 0, handoff: none, activation: none, addition: none)
    }
}

extension SQLiteValue {
    fileprivate static func word(_ flag: Bool?) -> SQLiteValue { .integer(orNull: flag.map { $0 ? 1 : 0 }) }
}
