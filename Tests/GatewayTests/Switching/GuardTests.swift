import ProviderKit
import Provisioning
import Storage
import Synchronization
import Testing

@testable import Gateway

@Suite("A guard stops the migration that fails its cards")
struct GuardTests {
    private let fixture: GuardFixture
    private let gateway: Gateway

    init() throws {
        fixture = try GuardFixture()
        gateway = try fixture.gateway()
    }

    @Test(arguments: StoredMigration.Guard.Action.allCases)
    func aWorseSideIsStoppedAsTheGuardSays(_ action: StoredMigration.Guard.Action) async throws {
        try await fixture.open(action: action)
        try await fixture.attempts(120, failed: 2, at: "old_main")
        try await fixture.attempts(120, failed: 40, at: "new_main")
        #expect(await gateway.guardDue() == 0, "the first look comes after five minutes")
        fixture.wait(minutes: 5)
        #expect(await gateway.guardDue() == 1)
        let migration = try await fixture.migration()
        #expect(migration.status == (action == .rollback ? .rolledBack : .paused))
        #expect(migration.why?.contains("40 of 120 failed at the new side and 2 of 120 at the old") == true)
        #expect(fixture.stops.withLock { $0.map(\.migration) } == [migration])
    }

    @Test func alikeSidesAndSmallSamplesGoOn() async throws {
        try await fixture.open()
        try await fixture.attempts(49, failed: 49, at: "new_main")
        try await fixture.attempts(200, failed: 4, at: "old_main")
        fixture.wait(minutes: 5)
        #expect(await gateway.guardDue() == 1)
        #expect(try await fixture.migration().status == .open)
        let report = try await gateway.report(ofMigration: "mig_1", program: "rides")
        #expect(report.guardState == .waiting && report.watch?.looks.isEmpty == true)
    }

    @Test func whatIsTheCallersOwnTripsNothing() async throws {
        try await fixture.open()
        try await fixture.attempts(120, failed: 0, at: "old_main")
        try await fixture.attempts(60, failed: 0, at: "new_main")
        try await fixture.attempts(120, failed: 120, at: "new_main", code: .invalidRequest)
        fixture.wait(minutes: 5)
        #expect(await gateway.guardDue() == 1)
        #expect(try await fixture.migration().status == .open)
        let report = try await gateway.report(ofMigration: "mig_1", program: "rides")
        #expect(report.to.figures.tally.attempts == 180)
        #expect(report.to.figures.tally.handoff == StageTally(observed: 60, succeeded: 60))
        #expect(report.guardState == .watching && report.watch?.looks.count == 1)
    }

    @Test func ofTwoInstancesOneLooks() async throws {
        try await fixture.open()
        try await fixture.attempts(60, failed: 1, at: "old_main")
        try await fixture.attempts(60, failed: 1, at: "new_main")
        let other = try fixture.gateway("two", ownStore: true)
        var counts: [Int] = []
        for _ in 1...3 {
            fixture.wait(minutes: 5)
            async let first = gateway.guardDue()
            async let second = other.guardDue()
            counts.append(await first + second)
            #expect(await gateway.guardDue() == 0)
        }
        #expect(counts == [1, 1, 1])
        // A restart adds no look; and a sample that has not grown is not tested again.
        #expect(await (try fixture.gateway("three", ownStore: true)).guardDue() == 0)
        let report = try await gateway.report(ofMigration: "mig_1", program: "rides")
        #expect(report.watch?.looks.count == 1)
    }

    @Test func whereEveryoneIsInTheCohortTheOldSidesLastWeekIsTheMeasure() async throws {
        try await fixture.attempts(200, failed: 2, at: "old_main")
        fixture.wait(minutes: 60 * 24 * 3)
        try await fixture.open(cohort: .everyone)
        try await fixture.attempts(100, failed: 30, at: "new_main")
        fixture.wait(minutes: 5)
        #expect(await gateway.guardDue() == 1)
        #expect(try await fixture.migration().status == .rolledBack)
    }

    @Test func anOldSideOfLongAgoIsNoMeasure() async throws {
        try await fixture.attempts(200, failed: 2, at: "old_main")
        fixture.wait(minutes: 60 * 24 * 9)
        try await fixture.open(cohort: .everyone)
        try await fixture.attempts(100, failed: 30, at: "new_main")
        fixture.wait(minutes: 5)
        #expect(await gateway.guardDue() == 1)
        #expect(try await fixture.migration().status == .open)
    }

    @Test func theReportsNumbersAreAnIndependentCountOfTheRecords() async throws {
        try await fixture.attempts(7, failed: 3, at: "old_main")
        try await fixture.open()
        try await fixture.attempts(31, failed: 5, at: "old_main")
        try await fixture.attempts(23, failed: 4, at: "new_main", code: .providerTimeout)
        let report = try await gateway.report(ofMigration: "mig_1", program: "rides")
        var records: [StoredProvisioning] = []
        var page = PageRequest(limit: 100)
        repeat {
            let found = try await gateway.provisionings(ProvisioningQuery(program: "rides", page: page))
            records += found.elements
            page.cursor = found.nextCursor
        } while page.cursor != nil
        for side in [report.from, report.to] {
            let own = records.filter { $0.connection == side.connection && $0.migration == "mig_1" }
            #expect(side.figures.tally.attempts == own.count)
            #expect(side.figures.tally.handedOff == own.count { $0.status == .handedOff })
            let codes = own.compactMap(\.failure?.code)
            #expect(side.figures.codes == Dictionary(codes.map { ($0, 1) }, uniquingKeysWith: +))
        }
        #expect(report.from.figures.tally.attempts == 31 && report.to.figures.tally.attempts == 23)
    }

    @Test func anotherProgramsMigrationIsNotThere() async throws {
        try await fixture.open()
        await #expect(throws: Problem(.migrationNotFound)) {
            _ = try await gateway.report(ofMigration: "mig_1", program: "travel")
        }
    }
}
