import Foundation
import Testing

/// The README's session with curl: its commands, taken from its text.
struct ReadmeSession {
    /// What its first terminal runs.
    let server: String
    /// What its second terminal runs, one after the other.
    let commands: [String]

    /// The folder that holds the README.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A file of the folder, as text.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Takes the fenced blocks of the session's section.
    init() throws {
        let readme = try Self.text("README.md")
        let start = try #require(readme.firstRange(of: "\n## A session with curl\n")).upperBound
        let end = readme[start...].firstRange(of: "\n## ")?.lowerBound ?? readme.endIndex
        let blocks = readme[start..<end].matches(of: /\n```sh\n((?s).*?)\n```/).map { String($0.output.1) }
        server = try #require(blocks.first)
        commands = Array(blocks.dropFirst())
    }

    /// One shell that runs the commands as they stand, and marks where each ends and with which exit code. Other tests of
    /// this process set proxies, which curl would ask.
    var script: String {
        "unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY\n"
            + commands.map { "\($0)\nprintf '\\n\(Self.mark)%d\\n' $?\n" }.joined()
    }

    /// What each command wrote, and its exit code.
    static func results(in output: String) -> [(output: String, code: Int32?)] {
        var results: [(output: String, code: Int32?)] = []
        var lines: [Substring] = []
        for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(mark) {
                results.append((lines.joined(separator: "\n"), Int32(line.dropFirst(mark.count))))
                lines = []
            } else {
                lines.append(line)
            }
        }
        return results
    }

    private static let mark = "== exit code "
}
