import SQLite

/// The tables, indexes, views and triggers of a database, as they were written.
struct SchemaObjects: Sendable, Equatable {
    /// By kind and name, such as `table card`.
    private let statements: [String: String]

    /// Those of a database.
    init(in connection: Connection) throws {
        // Indexes that SQLite makes by itself have no statement.
        let rows = try connection.all(
            "SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        ) { (name: "\($0.text(0)) \($0.text(1))", sql: $0.text(2)) }
        statements = Dictionary(rows.map { ($0.name, $0.sql) }, uniquingKeysWith: { first, _ in first })
    }

    /// Those that the scripts make, up to a version.
    init(ofVersion version: Int) throws {
        let connection = try Connection(path: ":memory:", mode: .readWrite)
        defer { connection.close() }
        for script in Schema.scripts.prefix(version) { try connection.execute(script) }
        try self.init(in: connection)
    }

    /// What is missing, changed or there besides.
    func differences(from expected: SchemaObjects) -> [String] {
        let missing = expected.statements.keys.filter { statements[$0] == nil }.map { "\($0) is missing" }
        let others = statements.compactMap { name, sql -> String? in
            guard let wanted = expected.statements[name] else { return "\(name) is none of ours" }
            return wanted == sql ? nil : "\(name) is not as it was made"
        }
        return (missing + others).sorted()
    }
}
