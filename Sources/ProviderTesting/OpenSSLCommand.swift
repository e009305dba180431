import Foundation

/// The `openssl` command: it makes the keys of tests, and is a second reader of what we make.
public enum OpenSSLCommand {
    /// It refused: what it said.
    public struct Failure: Error, CustomStringConvertible {
        /// Its own words.
        public let description: String
    }

    /// Runs it in a folder of its own that holds the files, and gives what it printed.
    ///
    /// - Throws: ``Failure`` where it ends with an error; Foundation's error where it cannot be run.
    public static func run(_ arguments: [String], files: [String: [UInt8]] = [:], input: [UInt8] = []) throws -> [UInt8]
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "passgate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, contents) in files { try Data(contents).write(to: folder.appending(path: name)) }
        try Data(input).write(to: folder.appending(path: "stdin"))

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let output = folder.appending(path: "stdout")
        let errors = folder.appending(path: "stderr")
        for file in [output, errors] { try Data().write(to: file) }
        process.standardInput = try FileHandle(forReadingFrom: folder.appending(path: "stdin"))
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
        }
        return Array(try Data(contentsOf: output))
    }

    /// Runs it likewise, and gives what it printed as text.
    ///
    /// - Throws: As ``run(_:files:input:)`` does.
    public static func text(_ arguments: [String], files: [String: [UInt8]] = [:], input: [UInt8] = []) throws -> String
    {
        String(decoding: try run(arguments, files: files, input: input), as: UTF8.self)
    }
}
