import Foundation
import Sandbox
import Testing

/// A folder for a store, and the built `passgate` on a disk that fails there when it is told to: see
/// `Tests/DiskFaults`.
final class FaultyDisk: Sendable {
    /// Starts the gateway as the command itself would.
    let command: URL
    /// Where the store belongs.
    let folder: URL
    private let control: URL

    init() throws {
        let passgate = try House.command("passgate")
        let library = passgate.deletingLastPathComponent().appending(path: "libDiskFaults.so")
        try #require(FileManager.default.fileExists(atPath: library.path), "the faults' library is not built")
        folder = try LaboratoryGateway.makeFolder()
        control = folder.appending(path: "fault")
        command = folder.appending(path: "passgate")
        let script = """
            #!/bin/sh
            LD_PRELOAD='\(library.path)' PASSGATE_DISK_FAULT='\(control.path)' exec '\(passgate.path)' "$@"

            """
        try Data(script.utf8).write(to: command)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: command.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Lets writes fail from now on with this error, such as `ENOSPC`; `EIO SYNC` lets syncs alone fail.
    func fail(with error: String) throws { try Data(error.utf8).write(to: control, options: .atomic) }

    /// Lets the disk work again.
    func mend() throws { try FileManager.default.removeItem(at: control) }
}
