import SQLite

/// How many attempts the open breakers of migrations' sides turned away.
struct LeftAloneTable {
    let connection: Connection

    /// Adds to how many there were.
    func add(_ count: Int, at side: LeftAloneSide) throws {
        try connection.run(
            """
            INSERT INTO left_alone (migration, connection, count) VALUES (?1, ?2, ?3)
            ON CONFLICT (migration, connection) DO UPDATE SET count = count + ?3
            """, .text(side.migration), .text(side.connection), .integer(Int64(count)))
    }

    /// How many there were.
    func count(at side: LeftAloneSide) throws -> Int {
        try connection.first(
            "SELECT count FROM left_alone WHERE migration = ? AND connection = ?", .text(side.migration),
            .text(side.connection)
        ) { Int($0.integer(0)) } ?? 0
    }
}
