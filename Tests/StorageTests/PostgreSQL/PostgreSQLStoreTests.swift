import Foundation
import PostgreSQL
import PostgreSQLServer
import Provisioning
import SecretMemory
import Testing

@testable import Storage

struct PostgreSQLStoreTests {
    private func withTest(_ body: (PostgreSQLUnderTest) async throws -> Void) async throws {
        try await body(PostgreSQLUnderTest(url: try await PostgreSQLServer.shared.makeSchema()))
    }

    /// Runs `body` with the database itself.
    private func raw<Answer: Sendable>(
        _ test: PostgreSQLUnderTest, _ body: @escaping @Sendable (Transaction) async throws -> Answer
    ) async throws -> Answer {
        let pool = PostgreSQLPool(try #require(DatabaseAddress(url: test.url)))
        let answer = try await pool.change(body)
        await pool.close()
        return answer
    }

    @Test func severalInstancesMayStartAtOnce() async throws {
        try await withTest { test in
            let stores = try await withThrowingTaskGroup(of: PostgreSQLStore.self) { group in
                for _ in 0..<6 { group.addTask { try await test.openPostgreSQL() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for (number, store) in stores.enumerated() {
                _ = try await store.putCard(.sample("card_\(number)"), audit: .backend)
            }
            let versions = try await raw(test) { transaction in
                try await transaction.all("SELECT version FROM passgate_schema ORDER BY 1") { $0.integer(0) }
            }
            #expect(versions == Array(1...Int64(versions.count)) && !versions.isEmpty)
        }
    }

    @Test func aNewerSchemaIsRefusedAndLeftAlone() async throws {
        try await withTest { test in
            _ = try await test.openPostgreSQL()
            try await raw(test) { $0.execute("INSERT INTO passgate_schema VALUES (99, 0)") }
            let failure = await #expect(throws: StoreFailure.self) { try await test.openPostgreSQL() }
            if case .newerSchema(let found, _) = failure {
                #expect(found == 99)
            } else {
                Issue.record("\(failure as Any)")
            }
        }
    }

    @Test func anothersSchemaIsRefused() async throws {
        try await withTest { test in
            try await raw(test) { $0.execute("CREATE TABLE card (id text)") }
            let failure = await #expect(throws: StoreFailure.self) { try await test.openPostgreSQL() }
            if case .broken = failure {} else { Issue.record("\(failure as Any)") }
        }
    }

    @Test func theTrailCannotBeChangedOrCut() async throws {
        try await withTest { test in
            _ = try await test.openPostgreSQL().putCard(.sample(), audit: .backend)
            for statement in ["UPDATE audit SET actor = 'x'", "DELETE FROM audit", "TRUNCATE audit"] {
                await #expect(throws: PostgreSQLError.self, "\(statement)") {
                    try await raw(test) { $0.execute(statement) }
                }
            }
        }
    }

    /// Keys that name the same programs in another order wait for each other, and none undoes another.
    @Test func ofKeysThatAreMadeAtOnceEveryNameIsGivenOnce() async throws {
        try await withTest { test in
            let stores = [try await test.openPostgreSQL(), try await test.openPostgreSQL()]
            let made = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<24 {
                    let key = StoredAPIKey(
                        name: "key_\(number / 3)", digest: [UInt8](repeating: UInt8(number), count: 32),
                        scopes: ["admin"], programs: number % 2 == 0 ? ["rides", "meals"] : ["meals", "rides"],
                        at: Moment.start)
                    group.addTask { try await stores[number % 2].add(key, audit: .backend) }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(made == 8)
            let keys = try #require(try await stores[0].apiKeys(changedSince: nil))
            #expect(Set(keys.inForce.map(\.name)).count == 8 && keys.generation == 8)
            #expect(try await stores[0].verify(program: "rides", with: .sample).isWhole)
        }
    }

    @Test func everyTransactionAndEveryWaitIsMeasured() async throws {
        try await withTest { test in
            let meter = StoreMeter()
            let store = try await PostgreSQLStore(url: test.url, audit: .sample, connections: 2, meter: meter) {
                Moment.start
            }
            #expect(meter.figures == StoreMeter.Figures())
            _ = try await store.putCard(.sample(), audit: .backend)
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
            #expect(meter.figures.queue.count == 2 && meter.figures.groupSize.sum == 2)
            try await store.complete(ProvisioningCompletion(StoredProvisioning.sample().ended(.handedOff)))
            await store.close()
            let figures = meter.figures
            #expect(figures.queue.count == 2 && figures.groupSize.sum == 3 && figures.commit.count == 3)
            #expect(figures.commit.sum > 0 && figures.queue.sum > 0)
        }
    }

    @Test func aDatabaseIsLookedAtWithoutAChange() async throws {
        try await withTest { test in
            let place = PostgreSQLPlace(url: test.url)
            #expect(try await place.plan().found == 0)
            #expect(try await place.apiKeysInForce().isEmpty)
            await #expect(throws: StoreFailure.self) { try await place.activeBindings() }
            let tables = try await raw(test) { transaction in
                try await transaction.first(
                    "SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
                ) {
                    $0.integer(0)
                }
            }
            #expect(tables == 0)
            let done = try await place.migrate()
            #expect(done.found == 0 && done.steps.count == SchemaPlan.known)
            #expect(try await place.plan().steps.isEmpty)
            #expect(try await place.activeBindings().isEmpty)
            let offset = try await place.clockOffset { now(ahead: 5000) }
            #expect((-5500 ... -4500).contains(offset))
        }
    }

    @Test func aClockThatDiffersIsMeasured() async throws {
        try await withTest { test in
            let store = try await PostgreSQLStore(url: test.url, audit: .sample) { now(ahead: -5000) }
            #expect((4500...5500).contains(store.clockOffset))
            let exact = try await PostgreSQLStore(url: test.url, audit: .sample) { now(ahead: 0) }
            #expect(abs(exact.clockOffset) < 500)
        }
    }

    /// Whoever reads the events as they come, from the last one that it saw on, misses none.
    @Test func eventsAreSeenInTheirOrder() async throws {
        try await withTest { test in
            let stores = [try await test.openPostgreSQL(), try await test.openPostgreSQL()]
            for number in 0..<40 { _ = try await stores[0].putCard(.sample("card_\(number)"), audit: .backend) }
            async let written: Void = withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let report = TokenReport.sample(
                            .sample("token_\(number)"), observedAfter: 6000, card: .rides("card_\(number)"))
                        _ = try await stores[number % 2].settle(report)
                    }
                }
                try await group.waitForAll()
            }
            let reader = try await test.openPostgreSQL()
            var seen: [String] = []
            let patience = ContinuousClock.now + .seconds(30)
            while seen.count < 40, ContinuousClock.now < patience {
                seen += try await reader.events(.rides(after: seen.last, limit: 3)).elements.map(\.id)
            }
            try await written
            let all = try await reader.events(.rides()).elements.map(\.id)
            #expect(seen == all && seen.count == 40)
        }
    }

    @Test func anInstanceLearnsOfACardThatAnotherChanged() async throws {
        try await withTest { test in
            let (store, other) = (try await test.openPostgreSQL(), try await test.openPostgreSQL())
            _ = try await store.putCard(.sample(), audit: .backend)
            _ = try await store.card(.rides("card_1"))
            #expect(store.recentCard(.rides("card_1")) != nil)
            #expect(try await other.eraseCard(.rides("card_1"), audit: .backend))
            #expect(try await store.reserve(.sample()) == .cardGone)
            #expect(store.recentCard(.rides("card_1")) == nil)
        }
    }

    /// What the version before left is brought up once, whoever comes first, and nothing of it is lost.
    @Test func severalInstancesMayUpgradeAtOnce() async throws {
        try await withTest { test in
            let former = 5
            try await raw(test) { transaction in
                transaction.execute(
                    "CREATE TABLE passgate_schema (version BIGINT PRIMARY KEY, made_at BIGINT NOT NULL)")
                for (offset, statements) in PostgreSQLSchema.versions.prefix(former).enumerated() {
                    for statement in statements { transaction.execute(statement) }
                    transaction.run("INSERT INTO passgate_schema VALUES ($1, 0)", .integer(Int64(offset + 1)))
                    try await transaction.send()
                }
                transaction.execute(
                    """
                    INSERT INTO card (program, id, cardholder_id, cardholder_name, created_at, updated_at)
                    VALUES ('rides', 'card_1', 'user_1', 'Zoë', 1, 1)
                    """)
            }
            let cards = try await withThrowingTaskGroup(of: StoredCard?.self) { group in
                for _ in 0..<6 { group.addTask { try await test.openPostgreSQL().card(.rides("card_1")) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(cards.count == 6 && cards.allSatisfy { $0?.cardholderName == "Zoë" })
            let versions = try await raw(test) { transaction in
                try await transaction.all("SELECT version FROM passgate_schema ORDER BY 1") { $0.integer(0) }
            }
            #expect(versions == Array(1...Int64(PostgreSQLSchema.version)))
        }
    }

    // MARK: Connections

    /// Keeps a lock of the store's for a transaction of the test's own while `body` runs.
    private func holding(_ name: String, _ test: PostgreSQLUnderTest, _ body: () async throws -> Void) async throws {
        try await test.holding(
            "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '\(name)', 0))", body)
    }

    /// Waits until a transaction waits for a lock of the store's.
    private func waitForWaiter(at name: String, _ test: PostgreSQLUnderTest) async throws {
        let patience = ContinuousClock.now + .seconds(10)
        var isThere: Bool?
        while isThere != true, ContinuousClock.now < patience {
            isThere = try await raw(test) { transaction in
                try await transaction.first(
                    """
                    SELECT 1 FROM pg_locks, hashtextextended(current_schema() || $1, 0) AS key
                    WHERE locktype = 'advisory' AND NOT granted
                        AND classid = (key >> 32 & 4294967295)::oid AND objid = (key & 4294967295)::oid
                    """, .text(name)
                ) { _ in true }
            }
        }
        try #require(isThere == true, "nobody waits for \(name)")
    }

    /// Changes of a program's cards come one after the other: while one of them waits, the others take no connection, and
    /// all other work has them.
    @Test func changesThatWaitForTheirTurnKeepNobodyFromTheDatabase() async throws {
        try await withTest { test in
            let store = try await PostgreSQLStore(url: test.url, audit: .sample, connections: 2) { Moment.start }
            _ = try await store.putCard(.sample("card_0"), audit: .backend)
            _ = try await store.putCard(.sample("card_0", program: "meals", provider: "card_m"), audit: .backend)
            var changes: Task<Int, any Error>?
            let trail = ":passgate:trail:rides"
            try await holding(trail, test) {
                changes = Task {
                    try await withThrowingTaskGroup(of: PutCardResult.self) { group in
                        for number in 1...40 {
                            group.addTask { try await store.putCard(.sample("card_\(number)"), audit: .backend) }
                        }
                        return try await group.reduce(into: 0) { count, result in
                            if case .created = result { count += 1 }
                        }
                    }
                }
                try await waitForWaiter(at: trail, test)
                for _ in 0..<20 {
                    #expect(try await store.card(.rides("card_0")) != nil)
                    var draft = CardDraft.change("card_0")
                    draft.key = CardKey(program: "meals", id: "card_0")
                    _ = try await store.putCard(draft, audit: .backend)
                }
            }
            #expect(try await changes?.value == 40)
            await store.close()
        }
    }

    /// A handshake that an attempt gives back, and a key that it frees, are free for whoever comes after its end was told,
    /// however long the end takes to be written.
    @Test func aReservationSeesTheEndsThatWaitToBeWritten() async throws {
        try await withTest { test in
            let store = try await test.openPostgreSQL()
            _ = try await store.putCard(.sample(), audit: .backend)
            #expect(try await store.reserve(.sample(claim: .sample())) == .reserved)
            var next: Task<ReservationResult, any Error>?
            let events = ":passgate:events:rides"
            try await holding(events, test) {
                let ended = StoredProvisioning.sample().ended(.refused)
                try await store.complete(ProvisioningCompletion(ended, releasing: Array("digest".utf8)))
                try await waitForWaiter(at: events, test)
                next = Task { try await store.reserve(.sample(.sample("prov_2"))) }
                // Whatever the reservation sends at once is answered before these are.
                for _ in 0..<20 { _ = try await store.migration("mig_1", program: "rides") }
            }
            #expect(try await next?.value == .reserved)
            await store.close()
        }
    }
}

/// This machine's time, moved.
private func now(ahead milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000) + milliseconds)
}
