import Foundation
import Testing

/// docs/operations.md has a heading for each alert, and names no metric and no event of the log that is not there.
struct OperationsPageTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// All Swift below a folder, as one text.
    private static func sources(_ folder: String) throws -> String {
        let start = root.appending(path: folder)
        let names = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
        let files = try #require(names).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
        return try files.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    private func names(_ pattern: some RegexComponent<(Substring, Substring)>, in text: String) -> [String] {
        text.matches(of: pattern).map { String($0.output.1) }
    }

    @Test func everyAlertHasItsHeadingAndItsRow() throws {
        let page = try Self.text("docs/operations.md")
        let alerts = try Self.text("docker/alerts.yaml")
        let named = Set(names(/- alert: (\w+)/, in: alerts))
        #expect(named.count >= 9)
        #expect(Set(names(/\n### (Passgate\w+)\n/, in: page)) == named)
        #expect(Set(names(/\n\| \[(Passgate\w+)\]\(#\w+\) \|/, in: page)) == named)
        for anchor in names(/docs\/operations\.md#(\w+)/, in: alerts) {
            #expect(named.contains { $0.lowercased() == anchor }, "\(anchor)")
        }
        for part in page.components(separatedBy: "\n### Passgate").dropFirst() {
            for word in ["**Means.**", "**Look at.**", "**Do.**", "**Wake.**"] {
                #expect(part.contains(word), "\(part.prefix(24)) lacks \(word)")
            }
        }
    }

    @Test func everyMetricThatIsNamedIsThere() throws {
        let metrics = Set(names(/"(passgate_[a-z_]+)"/, in: try Self.sources("Sources/Facade/Admin")))
        let named = Set(names(/`(passgate_[a-z_]+)`/, in: try Self.text("docs/operations.md")))
        #expect(named.count > 10)
        #expect(named.subtracting(metrics).sorted() == [])
    }

    @Test func everyEventOfTheLogThatIsNamedIsThere() throws {
        let page = try Self.text("docs/operations.md")
        let table = try #require(page.components(separatedBy: "\n## The log\n").last)
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.output.1) }
        }
        #expect(named.count > 10)
        let code = try Self.sources("Sources/passgate/Serve") + Self.sources("Sources/Facade/Log")
        for name in named { #expect(code.contains("\"\(name)\""), "\(name)") }
    }
}
