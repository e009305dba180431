import Foundation
import Testing

/// The README's examples are files that are compiled and run.
@Suite struct ReadmeTests {
    private func text(_ path: String) throws -> String {
        let root = Contract.folder.deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Lines without what indents them.
    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test(arguments: [
        ("swift", "Tests/EndToEndTests/Kits/BackendExample.swift"), ("ts", "clients/typescript/example.ts"),
    ])
    func anExampleStandsInItsFile(_ language: String, _ path: String) throws {
        let section = try #require(text("README.md").components(separatedBy: "\n## Kits\n").dropFirst().first)
        let block = try #require(section.components(separatedBy: "```\(language)\n").dropFirst().first)
        let example = lines(try #require(block.components(separatedBy: "\n```").first)).joined(separator: "\n")
        #expect(example.count > 200)
        #expect(try lines(text(path)).joined(separator: "\n").contains(example))
    }
}
