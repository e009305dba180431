import Testing

@Suite("Every file keeps the house style")
struct HouseStyleTests {
    /// The beginning of a line that is no comment.
    private let code = #"^(?![ ]*//).*"#

    @Test func noFileIsLongerThan400Lines() {
        for file in SourceTree.swift {
            let count = file.text.utf8.count { $0 == UInt8(ascii: "\n") }
            #expect(count <= 400, "\(file) has \(count) lines")
        }
    }

    @Test func pointersStayInTheWrappers() throws {
        let forbidden = code + #"(\bunsafe\b|Unsafe\w*Pointer|OpaquePointer|@unchecked).*"#
        for file in SourceTree.shipped where !isWrapper(file.path) {
            #expect(try file.matches(of: forbidden) == [], "\(file)")
        }
    }

    @Test func whatIsSharedWithoutACheckSaysWhyItIsSafe() throws {
        let shared = code + "@unchecked Sendable"
        for file in SourceTree.shipped where isWrapper(file.path) {
            let explained = try file.matches(of: #"^[ ]*/// Safe to .*\n([ ]*///.*\n)*"# + shared)
            #expect(try file.matches(of: shared).count == explained.count, "\(file)")
        }
    }

    @Test func nothingIsLeftUndone() throws {
        for file in SourceTree.shipped {
            #expect(try file.matches(of: #"^.*(\bTODO\b|\bFIXME\b|fatalError\(|try!|as!).*"#) == [], "\(file)")
        }
    }

    @Test func namesSayWhatAThingIs() throws {
        let vague = #"(Utils?|Utilities|Helpers?|Manager|Common|Misc)"#
        for file in SourceTree.swift {
            let name = SourceTree.File(path: file.path, text: file.name)
            #expect(try name.matches(of: vague + #"(\.swift|\+)"#) == [], "\(file)")
            let types = #"\b(struct|class|enum|actor|protocol) \w*"# + vague + #"\b"#
            #expect(try file.matches(of: code + types) == [], "\(file)")
        }
    }

    @Test func noFileNamesAMachine() throws {
        // Put together here, so that this file does not hold them.
        let folders = "/(" + ["home", "Users", "work", "root"].joined(separator: "|") + ")/.*"
        let texts = ["Makefile", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
            .map { SourceTree.File(path: $0, text: SourceTree.text($0)) }
        let others = ["bench", "docker", "docs", "examples", ".ci", "Contracts", "Providers"].flatMap {
            SourceTree.files($0, ending: "")
        }
        for file in SourceTree.swift + texts + others {
            #expect(try file.matches(of: folders) == [], "\(file)")
        }
    }

    @Test func testsAreSwiftTestingAlone() {
        for file in SourceTree.swift { #expect(!file.imports.contains("XCTest"), "\(file)") }
    }

    private func isWrapper(_ path: String) -> Bool {
        let folders = path.split(separator: "/").map(String.init)
        return folders.count > 2 && folders[0] == "Sources" && ModuleMap.wrappers.contains(folders[1])
    }
}
