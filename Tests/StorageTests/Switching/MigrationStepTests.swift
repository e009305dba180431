import Provisioning
import Testing

@testable import Storage

@Suite("What a migration's status allows")
struct MigrationStepTests {
    private func migration(_ status: StoredMigration.Status, _ change: (inout StoredMigration) -> Void = { _ in })
        -> StoredMigration
    {
        var migration = StoredMigration.sample()
        migration.status = status
        change(&migration)
        return migration
    }

    private func refusal(_ action: MigrationStep.Action, of migration: StoredMigration) -> MigrationStepRefusal? {
        do throws(MigrationStepRefusal) {
            _ = try migration.taking(.sample(action))
            return nil
        } catch {
            return error
        }
    }

    @Test func everyStepIsAllowedFromItsStatusesAndNoOther() {
        let allowed: [(MigrationStep.Action, [StoredMigration.Status])] = [
            (.advance(.percent(basisPoints: 10_000)), [.open]), (.pause, [.open]), (.resume, [.paused]),
            (.rollback, [.open, .paused]), (.complete, [.open]),
        ]
        for (action, statuses) in allowed {
            for status in StoredMigration.Status.allCases {
                #expect(refusal(action, of: migration(status)) == (statuses.contains(status) ? nil : .status))
            }
        }
    }

    @Test func aStepSaysWhereItLeads() throws {
        let open = migration(.open)
        #expect(try open.taking(.sample(.pause)).status == .paused)
        #expect(try migration(.paused).taking(.sample(.resume)).status == .open)
        let back = try open.taking(.sample(.rollback))
        #expect(back.status == .rolledBack && back.endedAt == Moment.after(1000) && !back.isInForce)
        let done = try open.taking(.sample(.complete))
        #expect(done.status == .completed && done.endedAt == Moment.after(1000) && done.isInForce)
    }

    @Test func aCohortOnlyGrows() throws {
        let half = migration(.open) { $0.cohort = .percent(basisPoints: 5000) }
        #expect(refusal(.advance(.percent(basisPoints: 4999)), of: half) == .shrinks)
        let same = try half.taking(.sample(.advance(.percent(basisPoints: 5000))))
        #expect(same == half)
        let more = try half.taking(.sample(.advance(.percent(basisPoints: 5001))))
        #expect(more.cohort == .percent(basisPoints: 5001) && more.advancedAt == Moment.after(1000))
        #expect(refusal(.advance(.cards(["card_1"])), of: half) == .goesByPercent)
        let list = migration(.open) { $0.cohort = .cards(count: 3) }
        #expect(refusal(.advance(.percent(basisPoints: 9999)), of: list) == .goesByList)
        #expect(try list.taking(.sample(.advance(.percent(basisPoints: 10_000)))).cohort == .everyone)
    }

    @Test func onlyALiveMigrationOfEveryoneIsCompleted() {
        #expect(refusal(.complete, of: migration(.open) { $0.mode = .shadow }) == .isShadow)
        #expect(refusal(.complete, of: migration(.open) { $0.cohort = .percent(basisPoints: 9999) }) == .isPartial)
        #expect(refusal(.complete, of: migration(.open) { $0.cohort = .cards(count: 3) }) == .isPartial)
        #expect(refusal(.advance(.percent(basisPoints: 10_000)), of: migration(.open) { $0.mode = .shadow }) == nil)
    }
}
