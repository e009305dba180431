import Foundation
import PostgreSQL
import PostgreSQLServer
import SecretMemory
import Synchronization
import Testing

@Suite("What becomes of work while the server fails", .serialized)
struct OutageTests {
    private func pool(of server: PostgreSQLServer, _ edit: (inout PoolSettings) -> Void = { _ in }) throws
        -> PostgreSQLPool
    {
        var settings = PoolSettings()
        edit(&settings)
        return PostgreSQLPool(try #require(DatabaseAddress(url: server.url())), settings: settings)
    }

    private func count(_ pool: PostgreSQLPool) async throws -> Int64? {
        try await pool.read { try await $0.first("SELECT count(*) FROM item") { $0.integer(0) } }
    }

    @Test func anOutageIsToldAtOnceAndEnds() async throws {
        let server = try await PostgreSQLServer()
        let pool = try pool(of: server)
        try await pool.change { $0.execute("CREATE TABLE item (name text PRIMARY KEY)") }
        try await server.stop()
        // The first call may find a connection that it takes for a live one.
        _ = try? await count(pool)
        for _ in 0..<20 {
            let start = ContinuousClock.now
            let failure = await #expect(throws: PostgreSQLError.self) { try await count(pool) }
            #expect(failure?.kind == .unreachable)
            #expect(ContinuousClock.now - start < .milliseconds(500))
        }
        try await server.start()
        let patience = ContinuousClock.now + .seconds(20)
        var found = try? await count(pool)
        while found == nil, ContinuousClock.now < patience { found = try? await count(pool) }
        #expect(found == 0)
        await pool.close()
    }

    @Test func workWhoseConnectionBreaksIsDoneOnce() async throws {
        let server = try await PostgreSQLServer()
        let (pool, other) = (try pool(of: server), try self.pool(of: server))
        try await pool.change { $0.execute("CREATE TABLE item (name text PRIMARY KEY)") }
        let tries = Mutex(0)
        try await pool.change { transaction in
            let backend = try await transaction.first("SELECT pg_backend_pid()") { $0.integer(0) }
            _ = try await transaction.change("INSERT INTO item VALUES ('a')")
            let isFirst = tries.withLock { number in
                number += 1
                return number == 1
            }
            if isFirst {
                let isEnded = try await other.read { transaction in
                    try await transaction.first("SELECT pg_terminate_backend($1, 5000)", .integer(backend ?? 0)) {
                        $0.integer(0)
                    }
                }
                #expect(isEnded == 1)
            }
        }
        #expect(tries.withLock { $0 } == 2)
        #expect(try await count(pool) == 1)
        await pool.close()
        await other.close()
    }

    /// The server commits, and then waits for a second server that there is not, until its connection is broken: the
    /// answer to the commit never comes.
    @Test func aCommitWithoutAnAnswerIsLookedUp() async throws {
        let server = try await PostgreSQLServer()
        let other = try pool(of: server)
        try await other.change { transaction in
            transaction.execute("CREATE TABLE item (name text PRIMARY KEY)")
        }
        let pool = try pool(of: server)
        try await wait(forStandby: true, on: other)
        let tries = Mutex(0)
        let work = Task {
            try await pool.change { transaction in
                tries.withLock { $0 += 1 }
                _ = try await transaction.change("INSERT INTO item VALUES ('a')")
            }
        }
        func stuck() async throws -> Int64? {
            try await other.read { transaction in
                try await transaction.first("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'") {
                    $0.integer(0)
                }
            }
        }
        var backend = try await stuck()
        let patience = ContinuousClock.now + .seconds(20)
        while backend == nil, ContinuousClock.now < patience { backend = try await stuck() }
        let victim = try #require(backend)
        _ = try await other.read { transaction in
            try await transaction.first("SELECT pg_terminate_backend($1, 5000)", .integer(victim)) { $0.integer(0) }
        }
        try await work.value
        #expect(tries.withLock { $0 } == 1, "the server was asked, and nothing was done again")
        try await wait(forStandby: false, on: other)
        #expect(try await count(other) == 1)
        await pool.close()
        await other.close()
    }

    /// The server crashes within a commit that has left nothing behind: afterwards its number is another transaction's,
    /// which is committed.
    @Test func aNumberThatIsAnothersAfterACrashIsNotBelieved() async throws {
        let server = try await PostgreSQLServer()
        let other = try pool(of: server)
        try await other.change { transaction in
            transaction.execute("CREATE ROLE late LOGIN SUPERUSER")
            // Not logged, and waited for within the commit.
            transaction.execute("CREATE UNLOGGED TABLE item (name text PRIMARY KEY)")
            transaction.execute(
                """
                CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$
                    BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$
                """)
            transaction.execute(
                """
                CREATE CONSTRAINT TRIGGER lingers AFTER INSERT ON item DEFERRABLE INITIALLY DEFERRED
                    FOR EACH ROW EXECUTE FUNCTION linger()
                """)
        }
        let url = SecretText(server.url().reveal().replacingOccurrences(of: "//passgate@", with: "//late@"))
        var settings = PoolSettings()
        (settings.retryTime, settings.answerTimeout, settings.statementTimeout) = (
            .seconds(30), .seconds(60), .seconds(60)
        )
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: url)), settings: settings)
        #expect(try await count(pool) == 0)
        // It has its connection. Once that breaks it can ask nobody until its number is another's.
        try await other.change { $0.execute("ALTER ROLE late NOLOGIN") }
        let number = Mutex<Int64>(0)
        let work = Task {
            try await pool.change { transaction in
                let own = try await transaction.first("SELECT pg_current_xact_id()::text::bigint") { $0.integer(0) }
                number.withLock { $0 = own ?? 0 }
                _ = try await transaction.change("INSERT INTO item VALUES ('a')")
            }
        }
        var isCommitting = false
        let patience = ContinuousClock.now + .seconds(20)
        while !isCommitting, ContinuousClock.now < patience {
            isCommitting =
                try await other.read { transaction in
                    try await transaction.first("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'") { _ in
                        true
                    }
                } ?? false
        }
        try await server.crash()
        try await server.start()
        let own = number.withLock { $0 }
        var latest: Int64 = 0
        while latest < own, ContinuousClock.now < patience {
            latest =
                (try? await other.change { transaction in
                    try await transaction.first("SELECT pg_current_xact_id()::text::bigint") { $0.integer(0) }
                }) ?? latest
        }
        let fate = try await other.read { transaction in
            try await transaction.first("SELECT pg_xact_status($1::text::xid8)", .text("\(own)")) { $0.text(0) }
        }
        #expect(fate == "committed", "its number is another's")
        try await other.change { $0.execute("ALTER ROLE late LOGIN") }
        let failure = await #expect(throws: PostgreSQLError.self) { try await work.value }
        #expect(failure?.kind == .uncertain)
        #expect(try await count(other) == 0)
        await pool.close()
        await other.close()
    }

    private func wait(forStandby isWanted: Bool, on pool: PostgreSQLPool) async throws {
        _ = try await pool.once { transaction in
            if isWanted {
                transaction.execute("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            } else {
                transaction.execute("ALTER SYSTEM RESET synchronous_standby_names")
            }
            try await transaction.send()
        }
        _ = try await pool.read { try await $0.first("SELECT pg_reload_conf()") { _ in true } }
        let wanted = isWanted ? "nobody" : ""
        func current() async throws -> String? {
            try await pool.read { transaction in
                try await transaction.first("SELECT current_setting('synchronous_standby_names')") { $0.text(0) }
            }
        }
        let patience = ContinuousClock.now + .seconds(20)
        while try await current() != wanted, ContinuousClock.now < patience {}
    }

    @Test func aNameWithoutAnAddressIsToldAtOnce() async throws {
        let url = SecretText("postgres://user:secret@nowhere.invalid/passgate")
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: url)))
        let failure = await #expect(throws: PostgreSQLError.self) { try await count(pool) }
        #expect(failure?.kind == .unreachable)
        await pool.close()
    }

    @Test func aServerThatSaysNothingIsGivenUp() async throws {
        // It takes connections into its queue, and never a word.
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        #expect(listen(descriptor, 8) == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        let port = UInt16(bigEndian: address.sin_port)
        var settings = PoolSettings()
        settings.connectTimeout = .milliseconds(200)
        let url = SecretText("postgres://user:secret@127.0.0.1:\(port)/passgate?sslmode=disable")
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: url)), settings: settings)
        let start = ContinuousClock.now
        let failure = await #expect(throws: PostgreSQLError.self) { try await count(pool) }
        #expect(failure?.kind == .unreachable)
        #expect(ContinuousClock.now - start < .seconds(2))
        await pool.close()
    }

    /// A server that is there and has stopped working: its connections stand, and nothing comes back.
    @Test func aServerThatFreezesIsGivenUpAndComesBack() async throws {
        let server = try await PostgreSQLServer()
        let pool = try pool(of: server) { settings in
            (settings.answerTimeout, settings.connectTimeout) = (.milliseconds(300), .milliseconds(300))
            (settings.patience, settings.retryTime) = (.milliseconds(300), .milliseconds(300))
        }
        try await pool.change { $0.execute("CREATE TABLE item (name text PRIMARY KEY)") }
        try await server.freeze()
        for _ in 0..<4 {
            let start = ContinuousClock.now
            let failure = await #expect(throws: PostgreSQLError.self) {
                try await pool.change { try await $0.change("INSERT INTO item VALUES ('a')") }
            }
            #expect(failure?.kind == .unreachable || failure?.kind == .lost, "\(String(describing: failure))")
            #expect(ContinuousClock.now - start < .seconds(2))
        }
        try await server.thaw()
        let patience = ContinuousClock.now + .seconds(20)
        var found = try? await count(pool)
        while found == nil, ContinuousClock.now < patience { found = try? await count(pool) }
        #expect(found == 0, "what was told to have failed did")
        await pool.close()
    }

    /// A server that is there and takes nobody: the pool tries again by itself, at growing intervals.
    @Test func connectionsAreTriedAgainWithPauses() async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #expect(listen(descriptor, 8) == 0)
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        let port = UInt16(bigEndian: address.sin_port)
        let (visits, visited) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
        let thread = Thread {
            while true {
                let peer = accept(descriptor, nil, nil)
                if peer < 0 { break }
                visited.yield(.now)
                close(peer)
            }
        }
        thread.start()
        var settings = PoolSettings()
        (settings.firstPause, settings.longestPause) = (.milliseconds(100), .milliseconds(400))
        let url = SecretText("postgres://user:secret@127.0.0.1:\(port)/passgate?sslmode=disable")
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: url)), settings: settings)
        await #expect(throws: PostgreSQLError.self) { try await count(pool) }
        var moments: [ContinuousClock.Instant] = []
        for await moment in visits {
            moments.append(moment)
            if moments.count == 6 { break }
        }
        let pauses = zip(moments.dropFirst(), moments).map { $0 - $1 }
        // Half of each pause is left to chance.
        #expect(pauses[0] > .milliseconds(45) && pauses[1] > .milliseconds(95), "\(pauses)")
        #expect(pauses[2...].allSatisfy { $0 > .milliseconds(195) }, "\(pauses)")
        await pool.close()
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}
