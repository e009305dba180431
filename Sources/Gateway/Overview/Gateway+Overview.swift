import ProviderKit
import Provisioning
public import Storage

extension Gateway {
    /// How a program's attempts went, added up, since so long ago. It may be some seconds old.
    public func overview(program: String, last milliseconds: Int64) async throws(Problem) -> AttemptOverview {
        let key = OverviewCache.Key(program: program, milliseconds: milliseconds)
        let began = ContinuousClock.now
        if let overview = traffic.overviews.overview(key, at: began) { return overview }
        do throws(StoreFailure) {
            let overview = try await store.overview(
                OverviewQuery(program: program, from: clock.now.adding(milliseconds: -milliseconds)))
            traffic.overviews.keep(overview, as: key, madeAt: began)
            return overview
        } catch {
            throw Problem(store: error)
        }
    }

    /// What waits in the store, and what was given up; nil where the store cannot be read.
    public func backlog() async -> StoreBacklog? { try? await store.backlog() }

    /// The migrations in force, with what was observed of their sides; nil where the store cannot be read.
    public func migrationFigures() async -> [MigrationFigures]? {
        var found: [MigrationFigures] = []
        do throws(StoreFailure) {
            for program in directory.programs.keys.sorted() {
                // At most one of a program is in force, and no other was opened after it.
                let query = MigrationQuery(program: program, page: PageRequest(limit: 1))
                guard let migration = try await store.migrations(query).elements.first, migration.isInForce else {
                    continue
                }
                found.append(try await figures(of: migration))
            }
        } catch {
            return nil
        }
        return found
    }

    private func figures(of migration: StoredMigration) async throws(StoreFailure) -> MigrationFigures {
        let hasTokens = tellsOfTokens(migration)
        var sides: [MigrationFigures.Side] = []
        for (name, connection) in [("from", migration.from), ("to", migration.to)] {
            let tally = try await store.tally(
                SideQuery(
                    program: migration.program, connection: connection, migration: migration.id,
                    from: migration.createdAt, at: clock.now))
            sides.append(
                MigrationFigures.Side(
                    name: name, connection: connection, tally: tally,
                    activation: tally.stage(.activation, hasTokens: hasTokens)))
        }
        return MigrationFigures(migration: migration, sides: sides)
    }
}
