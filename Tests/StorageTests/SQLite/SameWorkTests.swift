import Provisioning
import SQLite
import Testing

@testable import Storage

/// What there is not, what is another program's, and what is there and must not be shown cost the same.
struct SameWorkTests {
    let folder: TemporaryFolder
    let test: SQLiteUnderTest

    init() throws {
        folder = try TemporaryFolder()
        test = SQLiteUnderTest(path: folder.file("passgate.db"))
    }

    /// How many statements it takes.
    private func cost(_ database: Database, _ work: (Database) throws -> Void) throws -> Int {
        let before = database.connection.statementsRun
        try work(database)
        return database.connection.statementsRun - before
    }

    @Test("E14: a card of another cardholder, of another program and none cost the same statements")
    func cardsCostTheSame() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample(), audit: .backend)
        _ = try await store.putCard(.sample("card_2", program: "meals", provider: "card_m"), audit: .backend)
        let database = try Database(reading: test.path, chain: .sample)
        let costs = try ["card_1", "card_2", "card_3"].map { id in
            try cost(database) { database in
                let card = try database.cards.card(.rides(id), ofCardholder: "user_2")
                #expect(card == nil)
            }
        }
        #expect(costs == [1, 1, 1])
    }

    @Test("E14: an attempt of another program and none cost the same statements")
    func attemptsCostTheSame() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample("card_1", program: "meals", provider: "card_m"), audit: .backend)
        var foreign = Reservation.sample(.sample("prov_1", program: "meals"))
        foreign.card.binding = .increase("card_m")
        #expect(try await store.reserve(foreign) == .reserved)
        let database = try Database(creating: test.path, chain: .sample)
        let costs = try ["prov_1", "prov_2"].map { id in
            try [
                cost(database) { database in
                    let attempt = try database.provisionings.provisioning(id, program: "rides")
                    #expect(attempt == nil)
                },
                cost(database) { database in
                    let report = DeviceReport(
                        id: id, program: "rides", result: .added, code: nil, domain: nil, at: Moment.after(1))
                    let noted = try database.note(report)
                    #expect(noted == nil)
                },
            ]
        }
        #expect(costs[0] == costs[1] && !costs[0].contains(0), "\(costs)")
    }

    @Test("E14: erasing a card of another program costs what erasing none does")
    func erasingCostsTheSame() async throws {
        let store = try test.openSQLite()
        _ = try await store.putCard(.sample("card_2", program: "meals", provider: "card_m"), audit: .backend)
        await store.close()
        let database = try Database(creating: test.path, chain: .sample)
        let costs = try ["card_2", "card_3"].map { id in
            try cost(database) { database in
                let isErased = try database.eraseCard(.rides(id), by: .backend, at: Moment.after(1))
                #expect(!isErased)
            }
        }
        #expect(costs[0] > 0 && Set(costs).count == 1, "\(costs)")
    }
}
