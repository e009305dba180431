import PostgreSQL
import PostgreSQLServer
import SecretMemory
import Testing

struct PostgreSQLPoolTests {
    /// Runs `body` on a pool whose schema is empty.
    private func withPool(
        _ edit: (inout PoolSettings) -> Void = { _ in }, _ body: (PostgreSQLPool) async throws -> Void
    ) async throws {
        var settings = PoolSettings()
        edit(&settings)
        let url = try await PostgreSQLServer.shared.makeSchema()
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: url)), settings: settings)
        try await body(pool)
        await pool.close()
    }

    @Test func valuesComeBackAsTheyWere() async throws {
        try await withPool { pool in
            let texts = ["", "Zoë 山田 👩🏽‍🚀", "a'b\\c\n", String(repeating: "x", count: 300_000)]
            for text in texts {
                let back = try await pool.read { try await $0.first("SELECT $1::text", .text(text)) { $0.text(0) } }
                #expect(back == text)
            }
            for number in [0, 1, -1, 127, 128, -32_768, 2_147_483_648, Int64.max, Int64.min] {
                let back = try await pool.read { transaction in
                    try await transaction.first("SELECT $1::bigint", .integer(number)) { $0.integer(0) }
                }
                #expect(back == number)
            }
            let small = try await pool.read { transaction in
                try await transaction.first("SELECT -2::smallint, -3::int, true, false, NULL::int") { row in
                    [row.integer(0), row.integer(1), row.integer(2), row.integer(3), row.optionalInteger(4) ?? 9]
                }
            }
            #expect(small == [-2, -3, 1, 0, 9])
            let bytes = Array(UInt8.min...UInt8.max)
            let back = try await pool.read { transaction in
                try await transaction.first("SELECT $1::bytea, $2::bytea, $3::text", .bytes(bytes), .bytes([]), .null) {
                    row in (row.bytes(0), row.optionalBytes(1), row.optionalText(2))
                }
            }
            #expect(back?.0 == bytes && back?.1 == [] && back?.2 == nil)
        }
    }

    @Test func aNULInATextIsRefusedAndCutsNothingOff() async throws {
        try await withPool { pool in
            await #expect(throws: PostgreSQLError.self) {
                try await pool.read { try await $0.first("SELECT $1::text", .text("a\0b")) { $0.text(0) } }
            }
        }
    }

    @Test func whatIsSentTogetherTakesEffectTogether() async throws {
        try await withPool { pool in
            try await pool.change { transaction in
                transaction.execute("CREATE TABLE item (name text PRIMARY KEY)")
                transaction.run("INSERT INTO item VALUES ('a')")
            }
            let failure = await #expect(throws: PostgreSQLError.self) {
                try await pool.change { transaction in
                    transaction.run("INSERT INTO item VALUES ('b')")
                    transaction.run("INSERT INTO item VALUES ('a')")
                    transaction.run("INSERT INTO item VALUES ('c')")
                }
            }
            #expect(failure?.kind == .taken && failure?.constraint == "item_pkey")
            await #expect(throws: PostgreSQLError.self) {
                try await pool.change { transaction in
                    let count = try await transaction.change("INSERT INTO item VALUES ($1)", .text("d"))
                    #expect(count == 1)
                    transaction.run("INSERT INTO item VALUES ('a')")
                }
            }
            let names = try await pool.read { transaction in
                try await transaction.all("SELECT name FROM item") { $0.text(0) }
            }
            #expect(names == ["a"])
        }
    }

    @Test func whatABodyThrowsUndoesItsWork() async throws {
        struct Refusal: Error {}
        try await withPool { pool in
            try await pool.change { $0.execute("CREATE TABLE item (name text PRIMARY KEY)") }
            await #expect(throws: Refusal.self) {
                try await pool.change { transaction in
                    _ = try await transaction.change("INSERT INTO item VALUES ('a')")
                    throw Refusal()
                }
            }
            await #expect(throws: Refusal.self) {
                try await pool.read { try await $0.first("SELECT 1") { _ in throw Refusal() } }
            }
            let count = try await pool.read { try await $0.first("SELECT count(*) FROM item") { $0.integer(0) } }
            #expect(count == 0)
        }
    }

    @Test func workThatOthersUndoIsDoneAgain() async throws {
        // The server takes a while to find each deadlock.
        try await withPool({
            $0.connections = 8
            ($0.patience, $0.retryTime) = (.seconds(60), .seconds(60))
            ($0.statementTimeout, $0.answerTimeout) = (.seconds(60), .seconds(60))
        }) { pool in
            try await pool.change { transaction in
                transaction.execute("CREATE TABLE item (name text PRIMARY KEY, count bigint NOT NULL)")
                transaction.run("INSERT INTO item VALUES ('a', 0), ('b', 0)")
            }
            // Every other one locks the rows in the other order: some are deadlocked.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<16 {
                    group.addTask {
                        let names = number % 2 == 0 ? ["a", "b"] : ["b", "a"]
                        try await pool.change { transaction in
                            for name in names {
                                let count = try await transaction.first(
                                    "SELECT count FROM item WHERE name = $1 FOR UPDATE", .text(name)
                                ) { $0.integer(0) }
                                transaction.run(
                                    "UPDATE item SET count = $1 WHERE name = $2", .integer((count ?? 0) + 1),
                                    .text(name))
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let counts = try await pool.read { try await $0.all("SELECT count FROM item") { $0.integer(0) } }
            #expect(counts == [16, 16])
        }
    }

    @Test func aTakenKeyIsLookedForAgainWhereThatIsWanted() async throws {
        try await withPool { pool in
            try await pool.change { $0.execute("CREATE TABLE item (name text PRIMARY KEY)") }
            let made = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await pool.change(repeatsTaken: true) { transaction in
                            let isThere = try await transaction.first("SELECT 1 FROM item WHERE name = 'a'") { _ in true
                            }
                            if isThere == true { return false }
                            transaction.run("INSERT INTO item VALUES ('a')")
                            return true
                        }
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(made == 1)
        }
    }

    @Test func thereAreNoMoreConnectionsThanAllowed() async throws {
        try await withPool({ $0.connections = 3 }) { pool in
            let backends = try await withThrowingTaskGroup(of: Int64?.self) { group in
                for _ in 0..<30 {
                    group.addTask {
                        try await pool.read { transaction in
                            try await transaction.first("SELECT pg_backend_pid(), pg_sleep(0.01)") { $0.integer(0) }
                        }
                    }
                }
                return try await group.reduce(into: Set<Int64?>()) { $0.insert($1) }
            }
            #expect((1...3).contains(backends.count))
        }
    }

    @Test func whoWaitsTooLongIsTold() async throws {
        try await withPool({
            $0.connections = 1
            $0.patience = .milliseconds(50)
        }) { pool in
            // The connection is there: to make one may take longer than anybody waits here.
            while (try? await pool.read { try await $0.first("SELECT 1") { _ in true } }) == nil {}
            // And it is in use.
            let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
            let holder = Task {
                defer { held.finish() }
                try await pool.read { transaction in
                    _ = try await transaction.first("SELECT 1") { _ in true }
                    held.yield()
                    _ = try await transaction.first("SELECT pg_sleep(1)") { _ in true }
                }
            }
            for await _ in isHeld { break }
            let failure = await #expect(throws: PostgreSQLError.self) {
                try await pool.read { try await $0.first("SELECT 1") { _ in true } }
            }
            #expect(failure?.kind == .busy)
            try await holder.value
        }
    }

    @Test func aStatementThatTakesTooLongIsEnded() async throws {
        try await withPool({ $0.statementTimeout = .milliseconds(50) }) { pool in
            let failure = await #expect(throws: PostgreSQLError.self) {
                try await pool.read { try await $0.first("SELECT pg_sleep(30)") { _ in true } }
            }
            #expect(failure?.kind == .slow)
            let one = try await pool.read { try await $0.first("SELECT 1") { $0.integer(0) } }
            #expect(one == 1)
        }
    }

    @Test func aClosedPoolSaysSo() async throws {
        try await withPool { pool in
            _ = try await pool.read { try await $0.first("SELECT 1") { _ in true } }
            await pool.close()
            let failure = await #expect(throws: PostgreSQLError.self) {
                try await pool.read { try await $0.first("SELECT 1") { _ in true } }
            }
            #expect(failure?.kind == .closed)
        }
    }

    @Test func aStatementThatChangedItsMeaningIsPreparedAnew() async throws {
        try await withPool({ $0.connections = 1 }) { pool in
            try await pool.change { $0.execute("CREATE VIEW item AS SELECT 1 AS a") }
            func columns() async throws -> Int64? {
                try await pool.read { try await $0.first("SELECT * FROM item") { $0.integer(0) } }
            }
            #expect(try await columns() == 1)
            try await pool.change { $0.execute("DROP VIEW item") }
            try await pool.change { $0.execute("CREATE VIEW item AS SELECT 2 AS a, 3 AS b") }
            #expect(try await columns() == 2)
        }
    }

    @Test func aConnectionMadeByNameAndPasswordWorks() async throws {
        let url = try await PostgreSQLServer.shared.networkURL()
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: url)))
        let user = try await pool.read { try await $0.first("SELECT current_user::text") { $0.text(0) } }
        #expect(user == "passgate")
        await pool.close()
    }

    @Test func aWrongPasswordIsToldWithoutIt() async throws {
        let url = try await PostgreSQLServer.shared.networkURL(password: "canarypassword")
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: url)))
        let failure = await #expect(throws: PostgreSQLError.self) {
            try await pool.read { try await $0.first("SELECT 1") { _ in true } }
        }
        #expect(failure?.kind == .refused)
        #expect("\(failure.map(String.init(describing:)) ?? "")".contains("canary") == false)
        await pool.close()
    }
}
