import Foundation

/// A request whose body stops half way until it is told to go on. Bash speaks it, over its own sockets.
final class HalfRequest {
    private let process = Process()
    private let input = Pipe()
    private let log: URL

    /// Sends the head and half the body.
    init(to port: Int, in folder: Folder) throws {
        try folder.write("answer", "")
        log = URL(filePath: "\(folder.path)/answer")
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [
            "-c",
            """
            exec 3<>/dev/tcp/127.0.0.1/\(port)
            printf 'PUT /v1/cards/a HTTP/1.1\\r\\nHost: a\\r\\nContent-Type: application/json\\r\\n' >&3
            printf 'Content-Length: 2\\r\\nExpect: 100-continue\\r\\n\\r\\n{' >&3
            cat <&3 & read -r; printf '}' >&3; wait
            """,
        ]
        process.standardInput = input
        process.standardOutput = try FileHandle(forWritingTo: log)
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    /// Sends the rest of the body.
    func finish() throws { try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8)) }

    /// Waits until the answer holds the text; false where it ended without it.
    func answer(with text: String) async -> Bool {
        while true {
            let isRunning = process.isRunning
            if let answer = try? String(contentsOf: log, encoding: .utf8), answer.contains(text) { return true }
            guard isRunning else { return false }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }
}
