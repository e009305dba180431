import Foundation

/// The built `passgate` with the journal of its writes, syncs and sends: see `Tests/SyncJournal`.
struct JournaledCommand {
    private let command: PreloadedCommand

    init() throws {
        command = try PreloadedCommand(
            library: "SyncJournal", variable: "PASSGATE_SYNC_JOURNAL", file: "journal")
    }

    /// Starts the gateway as the command itself would.
    var url: URL { command.url }

    /// What was journaled so far.
    var journal: SyncJournal { get throws { try SyncJournal(contentsOf: command.file) } }
}
