import Foundation
import Testing

/// Every relative link of every page leads to a file that is there, and to a heading that is in it.
struct MarkdownLinkTests {
    /// Where pages are, beside the root itself.
    private static let folders = ["docs", "Providers", "examples", "Contracts", "docker", "clients", "bench"]

    private static let pages: [SourceTree.File] =
        SourceTree.names(in: "").filter { $0.hasSuffix(".md") }
        .map { SourceTree.File(path: $0, text: SourceTree.text($0)) }
        + folders.filter { !SourceTree.names(in: $0).isEmpty }.flatMap { SourceTree.files($0, ending: ".md") }

    /// The lines of a page that are no code.
    private static func prose(_ page: SourceTree.File) -> [Substring] {
        var isCode = false
        return page.lines.filter { line in
            if line.hasPrefix("```") { isCode.toggle() }
            return !isCode
        }
    }

    /// What a heading is called in a link: as GitHub makes it.
    static func anchor(_ heading: Substring) -> String {
        let kept = heading.lowercased().unicodeScalars.filter { scalar in
            scalar == " " || scalar == "-" || scalar == "_" || CharacterSet.alphanumerics.contains(scalar)
        }
        return String(String.UnicodeScalarView(kept)).replacing(" ", with: "-")
    }

    /// The anchors of a page. A heading that stands twice has a number the second time.
    private static func anchors(_ page: SourceTree.File) -> Set<String> {
        var seen: [String: Int] = [:]
        var anchors: Set<String> = []
        for line in prose(page) where line.wholeMatch(of: /#+ .+/) != nil {
            let anchor = anchor(line.drop { $0 == "#" }.dropFirst())
            let count = seen[anchor, default: 0]
            anchors.insert(count == 0 ? anchor : "\(anchor)-\(count)")
            seen[anchor] = count + 1
        }
        return anchors
    }

    /// The targets of a page's links that are no address elsewhere.
    private static func links(_ page: SourceTree.File) -> [String] {
        prose(page).flatMap { line in
            // What stands in backticks is shown, and leads nowhere; a link's words may hold some.
            line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
        }.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
    }

    @Test func everyRelativeLinkLeadsSomewhere() throws {
        #expect(Self.pages.count > 15)
        var count = 0
        for page in Self.pages {
            let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
            for link in Self.links(page) {
                count += 1
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let name = parts[0].removingPercentEncoding ?? parts[0]
                let target =
                    name.isEmpty
                    ? SourceTree.root.appending(path: page.path)
                    : SourceTree.root.appending(path: folder).appending(path: name).standardizedFileURL
                guard FileManager.default.fileExists(atPath: target.path) else {
                    Issue.record("\(page.path): \(link) leads to nothing")
                    continue
                }
                guard parts.count == 2, target.pathExtension == "md" else { continue }
                let text = try String(contentsOf: target, encoding: .utf8)
                let found = Self.anchors(SourceTree.File(path: name, text: text))
                if !found.contains(parts[1]) { Issue.record("\(page.path): \(link) names no heading") }
            }
        }
        #expect(count > 60)
    }

    @Test func theReadmeAndTheIndexLeadToEveryPageOfDocs() {
        let index = SourceTree.File(path: "docs/README.md", text: SourceTree.text("docs/README.md"))
        let links = Set(Self.links(index))
        let pages = SourceTree.files("docs", ending: ".md").map { $0.path.replacing("docs/", with: "") }
        #expect(pages.count > 10)
        for page in pages where page != "README.md" { #expect(links.contains(page), "docs/README.md lacks \(page)") }
        #expect(SourceTree.text("README.md").contains("](docs/README.md)"))
    }

    @Test func anchorsAreThoseOfGitHub() {
        #expect(Self.anchor("How sure a fact is") == "how-sure-a-fact-is")
        #expect(Self.anchor("An encrypted pass, with PassKit") == "an-encrypted-pass-with-passkit")
        #expect(Self.anchor("`retry` and so_on") == "retry-and-so_on")
    }
}
