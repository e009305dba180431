import Foundation

/// The `openssl` command: a second reader of what we make.
enum OpenSSLCommand {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs it in a folder of its own that holds the files, and gives what it printed.
    static func run(_ arguments: [String], files: [String: [UInt8]]) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "passgate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, contents) in files { try Data(contents).write(to: folder.appending(path: name)) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = folder.appending(path: "stdout")
        let errors = folder.appending(path: "stderr")
        for file in [output, errors] { try Data().write(to: file) }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
        }
        return Array(try Data(contentsOf: output))
    }

    static func text(_ arguments: [String], files: [String: [UInt8]]) throws -> String {
        String(decoding: try run(arguments, files: files), as: UTF8.self)
    }
}
