import Crypto
import ProviderKit
import Storage

extension Command {
    /// `passgate store verify`
    static let verifyStore = Command(
        name: "store verify", summary: "say whether the store, or a copy of it, is whole",
        explanation: """
            Reads the whole store as it is at one moment and names what no working store has: pages and indexes that are
            damaged, a schema that its scripts did not make, references into nowhere, cards without exactly one active
            binding, ids that belong to another card, attempts whose handshake is not spent, events ahead of their
            card's sequence, deliveries that nobody will send, audit trails that are not whole. Nothing is changed, and
            gateways go on. root_secrets must hold every root secret that the trail was made under.

            It is for SQLite's file. Of a database of PostgreSQL, pg_amcheck says whether tables and indexes are sound,
            and passgate audit verify whether the trails are whole.

            Exit codes: 0 whole, 1 not whole, 64 command line, 66 there is no store, 69 the store cannot be read, or is
            newer than this passgate, 78 configuration.
            """, options: [.config, .copy, .json, .help]
    ) { arguments, console in
        let command = StoreCommand(name: "store verify", arguments: arguments, console: console)
        let verify: @Sendable (SQLiteFile, KeyRing) -> ExitCode = { configured, keys in
            let file = arguments.value(of: .copy).map { SQLiteFile(path: $0) } ?? configured
            guard file.exists else { return command.fail(.noInput, "there is no store \(file.path)") }
            do throws(StoreFailure) {
                let report = try file.verify(AuditChain(keys), at: SystemClock().now)
                tell(report, of: file, arguments, console)
                return report.isWhole ? .success : .findings
            } catch {
                return command.fail(.unavailable, "the store \(file.path) \(error.words)")
            }
        }
        return await command.runOnFile(verify) { place in
            command.fail(
                .unavailable,
                "\(place.name) is PostgreSQL's: pg_amcheck says whether its tables and indexes are sound, and "
                    + "passgate audit verify whether the trails are whole")
        }
    }

    private static func tell(_ report: StoreReport, of file: SQLiteFile, _ arguments: Arguments, _ console: Console) {
        if arguments.has(.json) {
            var json = JSONWriter(capacity: 1024)
            json.storeReport(report, of: file.path)
            return console.output(json.finishText())
        }
        for check in report.checks {
            if check.findingCount == 0 { console.output("\(check.name): \(check.promise)") }
            for finding in check.findings { console.output("\(check.name): NOT WHOLE: \(finding)") }
            let rest = check.findingCount - check.findings.count
            if rest > 0 { console.output("\(check.name): and \(rest) more") }
        }
        let schema = "schema \(report.version) of \(SchemaPlan.known)"
        console.output("\(file.path) is \(report.isWhole ? "whole" : "not whole"), \(schema)")
    }
}

extension Command.Option {
    static let copy = Command.Option(
        name: "--copy", value: "FILE", summary: "look at a copy that store backup made, not at the store")
}

extension JSONWriter {
    /// Writes what is wrong with a store.
    fileprivate mutating func storeReport(_ report: StoreReport, of path: String) {
        object { json in
            json.member("store", path)
            json.member("whole", report.isWhole)
            json.member("schema", report.version)
            json.member(
                "checks",
                array: { json in
                    for check in report.checks {
                        json.object { json in
                            json.member("check", check.name)
                            json.member("promise", check.promise)
                            json.member("finding_count", check.findingCount)
                            json.member(
                                "findings", array: { json in for finding in check.findings { json.value(finding) } })
                        }
                    }
                })
        }
    }
}
