import Testing

@Suite("Every file keeps the house style")
struct HouseStyleTests {
    @Test func noFileIsLongerThan400Lines() {
        for file in SourceTree.swift {
            #expect(file.lines.count <= 401, "\(file) has \(file.lines.count - 1) lines")
        }
    }

    @Test func pointersStayInTheWrappers() throws {
        let forbidden = try Regex(#"\bunsafe\b|Unsafe\w*Pointer|OpaquePointer|@unchecked|nonisolated\(unsafe\)"#)
        for file in SourceTree.shipped where !isWrapper(file.path) {
            for line in file.code {
                #expect(line.firstMatch(of: forbidden) == nil, "\(file): \(line)")
            }
        }
    }

    @Test func whatIsSharedWithoutACheckSaysWhyItIsSafe() {
        for file in SourceTree.shipped where isWrapper(file.path) {
            for (index, line) in file.lines.enumerated() where line.contains("@unchecked Sendable") {
                let before = file.lines[..<index].reversed().prefix { $0.drop(while: \.isWhitespace).hasPrefix("///") }
                #expect(before.contains { $0.contains("Safe to ") }, "\(file): \(line)")
            }
        }
    }

    @Test func nothingIsLeftUndone() throws {
        let forbidden = try Regex(#"\bTODO\b|\bFIXME\b|fatalError\(|try!|as!"#)
        for file in SourceTree.shipped {
            for line in file.lines {
                #expect(line.firstMatch(of: forbidden) == nil, "\(file): \(line)")
            }
        }
    }

    @Test func namesSayWhatAThingIs() throws {
        let vague = try Regex(#"(Utils?|Utilities|Helpers?|Manager|Common|Misc)(\.swift|\b|\+)"#)
        for file in SourceTree.swift {
            #expect(file.name.firstMatch(of: vague) == nil, "\(file)")
            let types = file.code.compactMap { line -> Substring? in
                let words = line.split(separator: " ")
                let place = words.firstIndex { ["struct", "class", "enum", "actor", "protocol"].contains($0) }
                return place.flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
            }
            for type in types { #expect(type.firstMatch(of: vague) == nil, "\(file): \(type)") }
        }
    }

    @Test func noFileNamesAMachine() {
        // Put together here, so that this file does not hold them.
        let folders = ["home", "Users", "work", "root"].map { "/" + $0 + "/" }
        let texts = ["Makefile", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]
            .map { SourceTree.File(path: $0, text: SourceTree.text($0)) }
        let others = ["bench", "docker", "examples", ".ci", "Contracts", "Providers"].flatMap {
            SourceTree.files($0, ending: "")
        }
        for file in SourceTree.swift + texts + others {
            for folder in folders {
                #expect(!file.text.contains(folder), "\(file) names \(folder)")
            }
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
