public import Provisioning
import SQLite

extension SQLiteFile {
    /// Looks for everything that no working store has, in one transaction that only reads: damage, objects that the
    /// schema's scripts did not make, references into nowhere, cards that nobody or several connections serve, attempts
    /// whose handshake is not spent, trails that are not whole.
    ///
    /// - Parameters:
    ///   - chain: The audit trail's chain, with every key that made it.
    ///   - now: Spent handshakes are kept for a day: those of older attempts are not looked for.
    /// - Throws: What kept it from looking. Damage is a finding.
    public func verify(_ chain: AuditChain, at now: Timestamp) throws(StoreFailure) -> StoreReport {
        try reading { connection in
            var report: StoreReport
            do {
                report = StoreReport(version: try Schema.check(connection))
            } catch let error as SQLiteError where error.kind == .corrupt {
                report = StoreReport(version: 0)
                report.checks = [.init("file", "the file is a sound database", [error.message])]
                return report
            }
            try connection.beginReading()
            defer { connection.rollback() }
            let database = Database(connection: connection, chain: chain)
            for check in StoreCheck.all where check.since <= report.version {
                var found = StoreReport.Check(check.name, check.promise)
                do {
                    for finding in try check.find(database, report.version, now) { found.add(finding) }
                } catch let error as SQLiteError where error.kind == .corrupt {
                    found.add("cannot be read: \(error.message)")
                }
                report.checks.append(found)
            }
            return report
        }
    }
}
