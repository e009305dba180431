import Foundation
import Sandbox
import Testing

/// The built `passgate`, started through a script that preloads the journal. It has a folder of its own.
final class JournaledCommand: Sendable {
    /// Starts the gateway as the command itself would.
    let url: URL
    private let folder: URL
    private let file: URL

    init() throws {
        let library = try House.command("passgate").deletingLastPathComponent().appending(path: "libSyncJournal.so")
        try #require(FileManager.default.fileExists(atPath: library.path), "the journal's library is not built")
        folder = try LaboratoryGateway.makeFolder()
        file = folder.appending(path: "journal")
        url = folder.appending(path: "passgate")
        let script = """
            #!/bin/sh
            LD_PRELOAD='\(library.path)' PASSGATE_SYNC_JOURNAL='\(file.path)' exec '\(try House.command("passgate").path)' "$@"

            """
        try Data(script.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// What was journaled so far.
    var journal: SyncJournal { get throws { try SyncJournal(contentsOf: file) } }
}
