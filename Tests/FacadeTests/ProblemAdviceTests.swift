import Foundation
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Testing

@testable import Facade

/// The advice on `/errors/{code}` is `Contracts/errors.json`'s. `UPDATE_GENERATED=1` writes the Swift file anew.
@Suite struct ProblemAdviceTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let file = root.appending(path: "Sources/Facade/Rendering/ProblemAdvice.swift")

    private static func contract() throws -> JSONView {
        let bytes = try Data(contentsOf: root.appending(path: "Contracts/errors.json"))
        return try JSONParser().parse(SecretBytes(bytes)).root
    }

    @Test func theSwiftFileIsMadeOfTheContract() throws {
        let made = try Self.source(of: Self.contract())
        if ProcessInfo.processInfo.environment["UPDATE_GENERATED"] == "1" {
            try Data(made.utf8).write(to: Self.file)
        }
        #expect(try String(contentsOf: Self.file, encoding: .utf8) == made, "make generate writes it anew")
    }

    @Test func whatRunsSaysWhatTheContractSays() throws {
        let contract = try Self.contract()
        let codes = contract["errors"]?.elements?.map { [$0["code"]?.string, $0["what_to_do"]?.string] }
        #expect(codes == ProblemCode.allCases.map { [$0.rawValue, $0.whatToDo] })
        let classes = contract["retry_classes"]?.elements?.map { [$0["retry"]?.string, $0["what_to_do"]?.string] }
        #expect(classes == RetryClass.allCases.map { [$0.rawValue, $0.whatToDo] })
    }

    @Test(arguments: ProblemCode.allCases)
    func saysSomethingOfUse(_ code: ProblemCode) {
        #expect(code.whatToDo.hasSuffix(".") && code.whatToDo.count > 40)
        #expect(code.whatToDo.count(where: { $0 == "`" }).isMultiple(of: 2), "a backtick has no partner")
        #expect(code.whatToDo != code.entry.meaning)
    }

    /// The Swift file of a contract.
    private static func source(of contract: JSONView) throws -> String {
        var lines = ["// Made of Contracts/errors.json by `make generate`; a test compares the two.", ""]
        lines += ["import Provisioning", "", "extension ProblemCode {"]
        lines += ["    /// What the caller, or its operator, does next."]
        lines += try cases(of: contract["errors"], "code") { ProblemCode(rawValue: $0).map { "\($0)" } }
        lines += ["}", "", "extension RetryClass {", "    /// What the class asks for."]
        lines += try cases(of: contract["retry_classes"], "retry") { RetryClass(rawValue: $0).map { "\($0)" } }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    private static func cases(of rows: JSONView?, _ key: String, named name: (String) -> String?) throws -> [String] {
        var lines = ["    var whatToDo: String {", "        switch self {"]
        for row in rows?.elements ?? [] {
            let word = try #require(row[key]?.string)
            let advice = try #require(row["what_to_do"]?.string)
            lines += ["        case .\(try #require(name(word), "the catalogue lacks \(word)")):", quotes]
            lines += wrapped(advice)
            lines.append(quotes)
        }
        return lines + ["        }", "    }"]
    }

    private static let quotes = "            \"\"\""

    /// The text over lines of a hundred characters at most, as a Swift text over several lines has it.
    private static func wrapped(_ text: String) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, line.count + 1 + word.count > 96 {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        lines.append(line)
        return lines.enumerated().map { "            \($1)\($0 < lines.count - 1 ? " \\" : "")" }
    }
}
