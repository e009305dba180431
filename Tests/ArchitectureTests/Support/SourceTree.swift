import Foundation

/// The repository's own files, as they stand beside this test.
struct SourceTree: Sendable {
    /// One file, by its path from the root.
    struct File: Sendable, CustomStringConvertible {
        let path: String
        let text: String

        var description: String { path }
        var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
        var name: String { path.split(separator: "/").last.map(String.init) ?? path }

        /// The parts of the text that match an expression. Within it `^` and `$` stand for a line's ends.
        func matches(of pattern: String) throws -> [String] {
            // Foundation's, because it is many times faster than Swift's without optimization.
            let expression = try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
            let text = text as NSString
            let whole = NSRange(location: 0, length: text.length)
            return expression.matches(in: self.text, range: whole).map { text.substring(with: $0.range) }
        }

        /// The modules that it imports.
        var imports: [String] {
            lines.compactMap { line in
                let words = line.split(separator: " ").drop { $0 == "@_exported" }.map(\.self)
                guard let place = words.firstIndex(of: "import"), place < 2, words.count > place + 1 else { return nil }
                let isImport =
                    place == 0 || ["public", "internal", "private", "package", "@testable"].contains(words[0])
                return isImport ? String(words[words.count - 1].prefix { $0 != "." }) : nil
            }
        }
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Every file below the folder, or with that name, that ends so.
    static func files(_ folder: String, ending: String = ".swift") -> [File] {
        let start = root.appending(path: folder)
        let prefix = root.path().count
        let names = FileManager.default.enumerator(at: start, includingPropertiesForKeys: nil)
        let urls = names.map { $0.compactMap { $0 as? URL } } ?? []
        return (urls.isEmpty ? [start] : urls).compactMap { url in
            guard url.lastPathComponent.hasSuffix(ending),
                let text = try? String(contentsOf: url, encoding: .utf8)
            else { return nil }
            let path = url.path().removingPercentEncoding ?? url.path()
            return File(path: String(path.dropFirst(prefix)).trimmingPrefix("/").description, text: text)
        }
    }

    /// The names in a folder, in order.
    static func names(in folder: String) -> [String] {
        let path = root.appending(path: folder).path()
        return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { !$0.hasPrefix(".") }
            .sorted()
    }

    /// All Swift of the repository, but for the manifest.
    static let swift = ["Sources", "Providers", "Contracts", "Tests"].flatMap { files($0) }

    /// What is shipped: all Swift but the tests.
    static let shipped = swift.filter { !$0.path.hasPrefix("Tests/") && !$0.path.contains("/Tests/") }

    /// The one file at the path; empty where there is none.
    static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) ?? ""
    }
}
