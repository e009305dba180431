import Foundation
import Provisioning
import SQLite
import Testing

@testable import Storage

@Suite("A schema works with its own program and with the one before")
struct SchemaVersionTests {
    let folder: TemporaryFolder
    let test: SQLiteUnderTest

    init() throws {
        folder = try TemporaryFolder()
        test = SQLiteUnderTest(path: folder.file("passgate.db"))
    }

    private func raw() throws -> Connection { try Connection(path: test.path, mode: .createPrivate) }

    /// A file as the program of that version left it.
    private func make(version: Int) throws {
        let connection = try raw()
        for script in Schema.scripts.prefix(version) { try connection.execute(script) }
        try connection.execute("PRAGMA user_version = \(version); PRAGMA application_id = \(0x5047_5354)")
        connection.close()
    }

    @Test func everyVersionHasItsSummary() { #expect(SchemaPlan.known == Schema.version) }

    @Test(arguments: 0...Schema.version)
    func aPlanTellsTheStepsThatAMigrationTakes(from version: Int) throws {
        let file = SQLiteFile(path: test.path)
        if version > 0 { try make(version: version) }
        let plan = try file.plan()
        #expect(plan.found == version && plan.steps.map(\.version) == Array((version + 1)..<(Schema.version + 1)))
        #expect(file.exists == (version > 0), "a plan changes nothing")
        #expect(try file.migrate() == plan)
        #expect(try file.plan().steps.isEmpty)
        #expect(try file.verify(.sample, at: Moment.start).isWhole, "each step makes what the scripts make")
    }

    /// The program before names its columns when it writes, and leaves out those that it does not know: each must do
    /// without a value, no column that it knows may go or change, and no rule may be added to what it writes.
    @Test(arguments: 2...Schema.version)
    func theProgramBeforeCanReadAndWriteAllThatItKnows(version: Int) throws {
        let (before, after) = (try Columns(version: version - 1), try Columns(version: version))
        for (table, columns) in before.tables {
            let now = try #require(after.tables[table], "\(table) is gone")
            for column in columns { #expect(now.contains(column), "\(table).\(column.name) is gone or changed") }
            for column in now where !columns.contains(where: { $0.name == column.name }) {
                #expect(!column.isRequired, "\(table).\(column.name) needs a value")
            }
            let added = (after.uniqueKeys[table] ?? []).subtracting(before.uniqueKeys[table] ?? [])
            #expect(added.isEmpty, "\(table) has another unique key")
        }
    }

    @Test func cardsThatWereInWalletsBeforeAreWaitedForToo() async throws {
        try make(version: 8)
        let connection = try raw()
        try connection.execute(
            """
            INSERT INTO observation (program, connection, hour, migration, card, wallet, attempts, handed_off,
                is_handed_off, is_active, is_added)
            VALUES ('rides', 'increase_main', 0, '', 'card_1', 'apple_pay', 1, 1, 1, NULL, 1),
                ('rides', 'increase_main', 0, '', 'card_2', 'apple_pay', 1, 1, 1, 1, 1),
                ('rides', 'increase_main', 0, '', 'card_3', 'apple_pay', 1, 1, 1, 0, 0)
            """)
        connection.close()
        let store = try test.openSQLite()
        let tally = try await store.tally(
            SideQuery(
                program: "rides", connection: "increase_main", from: Timestamp(milliseconds: 0),
                at: Timestamp(milliseconds: Moment.day + Moment.hour)))
        #expect(tally.activation == StageTally(observed: 3, succeeded: 1))
        await store.close()
    }

    /// The rolling update: one process brings the schema to the next version while another, of the version before,
    /// serves.
    @Test func aStoreThatIsOpenGoesOnWhileAnotherProcessBringsTheNextVersion() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample("before"), audit: .backend)
        let newer = try raw()
        try newer.execute(
            """
            BEGIN IMMEDIATE;
            CREATE TABLE of_the_next_version (a INTEGER) STRICT;
            ALTER TABLE card ADD COLUMN of_the_next_version TEXT;
            PRAGMA user_version = \(Schema.version + 1);
            COMMIT;
            """)
        _ = try await store.putCard(.sample("after"), audit: .backend)
        #expect(try await store.card(.rides("before")) != nil)
        #expect(try await store.cards(CardQuery(program: "rides", page: PageRequest())).elements.count == 2)
        try await store.checkHealth()
        // It does not start on it anew: what the next version promises, it cannot know.
        let refusal = StoreFailure.newerSchema(found: Schema.version + 1, known: Schema.version)
        #expect(throws: refusal) { try test.openSQLite() }
        #expect(throws: refusal) { try SQLiteFile(path: test.path).plan() }
        #expect(throws: refusal) { try SQLiteFile(path: test.path).migrate() }
        #expect(throws: refusal) { try SQLiteFile(path: test.path).verify(.sample, at: Moment.start) }
        await store.close()
    }
}

/// The columns and unique keys of every table of a version.
private struct Columns {
    struct Column: Equatable {
        let name: String
        let type: String
        let isRequired: Bool
    }

    var tables: [String: [Column]] = [:]
    var uniqueKeys: [String: Set<String>] = [:]

    init(version: Int) throws {
        let connection = try Connection(path: ":memory:", mode: .readWrite)
        for script in Schema.scripts.prefix(version) { try connection.execute(script) }
        let columns = try connection.all(
            """
            SELECT entry.name, info.name, info.type, info."notnull" AND info.dflt_value IS NULL AND info.pk = 0
            FROM sqlite_schema AS entry JOIN pragma_table_info(entry.name) info
            WHERE entry.type IN ('table', 'view') AND entry.name NOT LIKE 'sqlite%'
            """
        ) { ($0.text(0), Column(name: $0.text(1), type: $0.text(2), isRequired: $0.integer(3) == 1)) }
        for (table, column) in columns { tables[table, default: []].append(column) }
        let keys = try connection.all(
            """
            SELECT entry.name, (SELECT group_concat(name) FROM pragma_index_info(list.name)) || list.partial
            FROM sqlite_schema AS entry JOIN pragma_index_list(entry.name) list
            WHERE entry.type = 'table' AND list."unique" = 1
            """
        ) { ($0.text(0), $0.text(1)) }
        for (table, key) in keys { uniqueKeys[table, default: []].insert(key) }
    }
}
