import Foundation

/// A folder of its own for one test, removed with it.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "passgate-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ contents: String) throws {
        try Data(contents.utf8).write(to: URL(filePath: "\(path)/\(name)"))
    }
}
