import Foundation

/// The built command, run as an operator runs it.
///
/// It writes to a file, not to a pipe: another command that starts at the same time could inherit a pipe and keep it
/// open.
final class Gate {
    let folder: Folder
    private let process = Process()
    private let ending = ProcessEnding()
    private let log: URL

    /// Starts the command with a configuration of its own; `prefix` is a command that becomes it.
    init(
        _ words: [String], behind prefix: [String] = [], configuration: String, environment: [String: String] = [:]
    ) throws {
        folder = try Folder()
        try folder.write("passgate.yaml", configuration)
        try folder.write("output", "")
        log = URL(filePath: "\(folder.path)/output")
        let output = try FileHandle(forWritingTo: log)
        try output.seekToEnd()
        process.executableURL = prefix.isEmpty ? Self.binary : URL(filePath: "/usr/bin/env")
        process.arguments = prefix.isEmpty ? words : prefix + [Self.binary.path] + words
        process.currentDirectoryURL = URL(filePath: folder.path)
        // Otherwise the command has nothing of ours but, under a sanitizer, what that is told.
        let told = ProcessInfo.processInfo.environment.filter {
            $0.key.hasSuffix("SAN_OPTIONS") || $0.key == "LD_PRELOAD"
        }
        process.environment = environment.merging(told) { given, _ in given }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        ending.watch(process)
        try process.run()
        try output.close()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Its process id.
    var id: Int32 { process.processIdentifier }

    /// Everything that was written so far, line by line.
    var lines: [String] {
        let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Everything that was written so far.
    var output: String { lines.joined(separator: "\n") }

    /// Waits until a line holds the text, and gives the line; nil where the command ended without it. A file tells nobody
    /// when it grows, so it is read again and again.
    func line(with text: String, after seen: Int = 0) async -> String? {
        while true {
            let isRunning = process.isRunning
            if let line = lines.dropFirst(seen).first(where: { $0.contains(text) }) { return line }
            guard isRunning else { return nil }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Sends a signal.
    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Replaces the configuration.
    func configure(_ yaml: String) throws { try folder.write("passgate.yaml", yaml) }

    /// The whole answer to a GET, as it comes over the wire.
    func get(_ path: String, at port: Int, key: String) async throws -> String {
        let file = "\(folder.path)/\(UUID().uuidString)"
        let bash = Process()
        bash.executableURL = URL(filePath: "/bin/bash")
        bash.arguments = [
            "-c",
            """
            exec 3<>/dev/tcp/127.0.0.1/\(port)
            printf 'GET \(path) HTTP/1.1\\r\\nHost: a\\r\\nAuthorization: Bearer \(key)\\r\\n' >&3
            printf 'Connection: close\\r\\n\\r\\n' >&3
            cat <&3 >'\(file)'
            """,
        ]
        let ending = ProcessEnding()
        ending.watch(bash)
        try bash.run()
        _ = await ending.status
        return try String(contentsOf: URL(filePath: file), encoding: .utf8)
    }

    /// Waits for the end, and gives the exit code; a signal that ended it is negative.
    func end() async -> Int32 {
        await ending.status
    }

    /// Runs a command to its end.
    static func run(_ words: [String], configuration: String, environment: [String: String] = [:]) async throws -> (
        code: Int32, output: String
    ) {
        let gate = try Gate(words, configuration: configuration, environment: environment)
        let code = await gate.end()
        return (code, gate.output)
    }

    /// The command stands beside the tests.
    private static var binary: URL {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(filePath: tests).deletingLastPathComponent().appending(path: "passgate")
    }
}
