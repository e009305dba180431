import Foundation
import Testing

/// A session with curl that a page shows: its commands, taken from its text.
struct PageSession {
    /// What its first terminal runs.
    let server: String
    /// What its second terminal runs, one after the other.
    let commands: [String]

    /// The folder that holds the pages.
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// A file of the folder, as text.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Takes the fenced blocks of a page.
    ///
    /// - Parameter section: The heading of the part that is meant; nil for all of it.
    init(of page: String, section: String? = nil) throws {
        var text = Substring(try Self.text(page))
        if let section {
            text = text[try #require(text.firstRange(of: "\n## \(section)\n")).upperBound...]
            text = text[..<(text.firstRange(of: "\n## ")?.lowerBound ?? text.endIndex)]
        }
        let blocks = text.matches(of: /\n```sh\n((?s).*?)\n```/).map { String($0.output.1) }
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
