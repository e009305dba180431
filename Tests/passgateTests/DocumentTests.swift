import Foundation
import ProviderKit
import Testing

@testable import passgate

/// The pages in docs/ say what is so: each command and option is there, each error as in the contract.
struct DocumentTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The pages for people who run the gateway, by path.
    private static func pages() throws -> [(path: String, text: String)] {
        let files = FileManager.default
        let folders = ["", "docs/", "docs/providers/"]
        return try folders.flatMap { folder in
            try files.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
                .filter { $0.hasSuffix(".md") && $0 != "CHANGELOG.md" }
                .map { ("\(folder)\($0)", try text("\(folder)\($0)")) }
        }
    }

    /// What is typed on a page: lines of blocks for a shell, and what stands in backticks.
    private static func typed(_ page: String) -> [String] {
        let blocks = page.matches(of: /```sh\n((?s).*?)\n```/).flatMap { match in
            match.output.1.replacing("\\\n", with: " ").split(separator: "\n").map(String.init)
        }
        let prose = page.replacing(/```[a-z]*\n(?s).*?\n```/, with: "")
        return blocks + prose.matches(of: /`([^`\n]+)`/).map { String($0.output.1) }
    }

    /// The words after a command's name wherever it is called, up to what ends the call.
    private static func calls(of name: String, in typed: [String]) -> [[String]] {
        typed.flatMap { line in
            line.split(whereSeparator: { "|&;()<>".contains($0) }).compactMap { part in
                var words = part.split(separator: " ").map(String.init)
                if let comment = words.firstIndex(where: { $0.hasPrefix("#") }) { words = Array(words[..<comment]) }
                while let first = words.first, ["until", "while", "if", "!", "sudo", "exec"].contains(first) {
                    words.removeFirst()
                }
                guard let first = words.first, first == name || first.hasSuffix("/\(name)") else { return nil }
                return Array(words.dropFirst())
            }
        }
    }

    @Test func everyCommandOfPassgateThatIsNamedIsThere() throws {
        var count = 0
        for page in try Self.pages() {
            for words in Self.calls(of: "passgate", in: Self.typed(page.text)) where !words.isEmpty {
                if ["--help", "--version", "help", "COMMAND"].contains(words[0]) { continue }
                count += 1
                let command = Command.all.first { command in
                    words.starts(with: command.name.split(separator: " ").map(String.init))
                }
                guard let command else {
                    Issue.record("\(page.path): there is no passgate \(words.joined(separator: " "))")
                    continue
                }
                for option in words.filter({ $0.hasPrefix("--") }) {
                    let name = option.prefix { $0 != "=" }
                    #expect(
                        command.options.contains { $0.name == name },
                        "\(page.path): passgate \(command.name) has no \(option)")
                }
            }
        }
        #expect(count > 10)
    }

    @Test func everyCommandOfTheLaboratoryThatIsNamedIsInItsHelp() throws {
        let help = try Self.text("Sources/passgate-lab/LabHelp.swift")
        var count = 0
        for page in try Self.pages() {
            for words in Self.calls(of: "passgate-lab", in: Self.typed(page.text)) where !words.isEmpty {
                count += 1
                let isCommand = words[0].hasPrefix("--") || help.contains("  \(words[0]) ")
                #expect(isCommand, "\(page.path): there is no passgate-lab \(words[0])")
                for option in words.filter({ $0.hasPrefix("--") }) {
                    #expect(help.contains(option), "\(page.path): passgate-lab has no \(option)")
                }
            }
        }
        #expect(count > 10)
    }

    /// One problem of the contract.
    private struct Contract: Decodable {
        var errors: [Row]
        var retry_classes: [Class]

        struct Row: Decodable {
            var code: String
            var status: Int
            var meaning: String
            var retry: [String: String]
        }

        struct Class: Decodable {
            var retry: String
            var what_to_do: String
        }
    }

    @Test func theTableOfCodesIsTheContract() throws {
        let contract = try JSONDecoder().decode(
            Contract.self, from: Data(contentsOf: Self.root.appending(path: "Contracts/errors.json")))
        let lines = try Self.text("docs/errors.md").split(separator: "\n").map(String.init)
        let rows = contract.errors.map { error in
            let cells = ["not_sent", "sent_repeatable", "sent_single_use"].map { situation in
                error.retry[situation].map { "`\($0)`" } ?? "–"
            }
            return "| `\(error.code)` | \(error.status) | \(cells.joined(separator: " | ")) | \(error.meaning) |"
        }
        for row in rows { #expect(lines.contains(row), "docs/errors.md lacks: \(row)") }
        let table = lines.drop { !$0.hasPrefix("| code | status | not sent") }.dropFirst(2).prefix { $0.hasPrefix("|") }
        #expect(Array(table) == rows)
        for item in contract.retry_classes {
            #expect(lines.contains { $0.hasPrefix("| `\(item.retry)` | \(item.what_to_do) | ") }, "\(item.retry)")
        }
    }
}
