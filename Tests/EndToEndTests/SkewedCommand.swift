import Foundation
import Sandbox
import Testing

/// The built `passgate`, started through a script that moves the time of day that it reads. It has a folder of its own.
final class SkewedCommand: Sendable {
    /// Starts the gateway as the command itself would.
    let url: URL
    private let folder: URL

    /// - Parameter milliseconds: By how much its clock is ahead.
    init(ahead milliseconds: Int64) throws {
        let passgate = try House.command("passgate")
        let library = passgate.deletingLastPathComponent().appending(path: "libShiftedClock.so")
        try #require(FileManager.default.fileExists(atPath: library.path), "the clock's library is not built")
        folder = try LaboratoryGateway.makeFolder()
        url = folder.appending(path: "passgate")
        let script = """
            #!/bin/sh
            LD_PRELOAD='\(library.path)' PASSGATE_CLOCK_SHIFT='\(milliseconds)' exec '\(passgate.path)' "$@"

            """
        try Data(script.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
