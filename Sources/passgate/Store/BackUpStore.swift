import ProviderKit
import Storage
import Synchronization

extension Command {
    /// `passgate store backup`
    static let backUpStore = Command(
        name: "store backup", summary: "copy the store into a file, while gateways work on it",
        explanation: """
            Writes the store as it is at one moment into FILE, which must not exist, and which only its owner can read.
            Gateways go on meanwhile; what they write after that moment is not in the copy. FILE appears whole and
            synced, or not at all. It holds what the store holds: names of cardholders too. Keep root_secrets with it,
            elsewhere: without them nothing that is sealed in it can be opened, and no handshake or trail be told.

            To restore: stop every gateway, put FILE in the store's place, remove the store's -wal and -shm files,
            start. passgate store verify --copy FILE looks it over.

            It is for SQLite's file: a database of PostgreSQL is copied by pg_dump.

            Exit codes: 0 copied, 1 there is something at FILE, 64 command line, 66 there is no store, 69 the store
            cannot be read or FILE not be written, 78 configuration.
            """, operands: ["FILE"], options: [.config, .json, .help]
    ) { arguments, console in
        let command = StoreCommand(name: "store backup", arguments: arguments, console: console)
        let copy = arguments.operands[0]
        let copyFile: @Sendable (SQLiteFile) -> ExitCode = { file in
            guard file.exists else { return command.fail(.noInput, "there is no store \(file.path)") }
            let size = Mutex(0)
            do throws(SQLiteFile.BackupFailure) {
                try file.backUp(to: copy) { copied, pages in
                    size.withLock { $0 = pages }
                    console.progress?(ImportMeter.bar(copied, of: pages))
                }
                console.progress?("")
            } catch {
                console.progress?("")
                switch error {
                case .exists: return command.fail(.findings, "there is something at \(copy): it was left as it is")
                case .failed(let failure): return command.fail(.unavailable, "the store \(file.path) \(failure.words)")
                }
            }
            let pages = size.withLock { $0 }
            if arguments.has(.json) {
                var json = JSONWriter(capacity: 256)
                json.object { json in
                    json.member("file", copy)
                    json.member("pages", pages)
                }
                console.output(json.finishText())
            } else {
                console.output("\(file.path) is copied to \(copy), \(pages) pages")
            }
            return .success
        }
        return await command.runOnFile(copyFile) { place in
            command.fail(.unavailable, "\(place.name) is PostgreSQL's: pg_dump copies it while gateways work on it")
        }
    }
}
