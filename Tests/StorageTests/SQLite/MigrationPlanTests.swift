import SQLite
import Testing

struct MigrationPlanTests {
    @Test func theProbeOfAReservationIsOneLookUp() throws {
        let folder = try TemporaryFolder()
        let test = SQLiteUnderTest(path: folder.file("passgate.db"))
        _ = try test.openSQLite()
        let raw = try Connection(path: test.path, mode: .readOnly)
        let plan = try raw.all(
            "EXPLAIN QUERY PLAN SELECT * FROM migration WHERE program = 'rides' AND is_in_force = 1"
        ) { $0.text(3) }
        #expect(plan == ["SEARCH migration USING INDEX migration_in_force (program=?)"])
    }
}
