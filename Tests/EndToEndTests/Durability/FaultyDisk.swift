import Foundation

/// A folder for a store, and the built `passgate` on a disk that fails there when it is told to: see `Tests/DiskFaults`.
struct FaultyDisk {
    private let preloaded: PreloadedCommand

    init() throws {
        preloaded = try PreloadedCommand(library: "DiskFaults", variable: "PASSGATE_DISK_FAULT", file: "fault")
    }

    /// Starts the gateway as the command itself would.
    var command: URL { preloaded.url }
    /// Where the store belongs.
    var folder: URL { preloaded.folder }

    /// Lets writes fail from now on with this error, such as `ENOSPC`; `EIO SYNC` lets syncs alone fail.
    func fail(with error: String) throws { try Data(error.utf8).write(to: preloaded.file, options: .atomic) }

    /// Lets the disk work again.
    func mend() throws { try FileManager.default.removeItem(at: preloaded.file) }
}
