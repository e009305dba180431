import Foundation
import SecretMemory
import Testing

@testable import ConfigurationFile

@Suite("A reference is put in where a text stands")
struct ReferenceTests {
    @Test(arguments: [
        ("${NAME}", "Ada"), ("x-${NAME}-${OTHER}", "x-Ada-${NAME}"), ("$${NAME}", "${NAME}"), ("$NAME", "$NAME"),
        ("a$", "a$"), ("{prefix}", "{prefix}"), ("${EMPTY}", ""), ("x file:y", "x file:y"),
    ])
    func putsVariablesIn(text: String, expanded: String) {
        #expect(resolve(text) == .success(expanded))
    }

    @Test(arguments: ["${UNSET}", "${", "${}", "${1A}", "${NAME", "${A B}"])
    func refusesWhatNamesNoVariable(text: String) {
        guard case .failure(let complaints) = resolve(text) else {
            Issue.record("\(text) was taken")
            return
        }
        #expect(complaints.messages.count == 1)
    }

    @Test func reportsEachVariableOfAText() {
        guard case .failure(let complaints) = resolve("${A}${B}") else {
            Issue.record("it was taken")
            return
        }
        #expect(complaints.messages.count == 2)
    }

    @Test(arguments: [
        ("secret\n", "secret"), ("secret\r\n", "secret"), ("secret\n\n", "secret\n"), ("\n", ""), ("a", "a"),
    ])
    func readsAFileWithoutItsLastNewline(contents: String, text: String) throws {
        let folder = try Folder()
        try folder.write("key.txt", contents)
        #expect(resolve("file:key.txt", folder: folder.path) == .success(text))
        #expect(resolve("file:\(folder.path)/key.txt") == .success(text))
    }

    @Test func putsVariablesIntoAPath() throws {
        let folder = try Folder()
        try folder.write("Ada.txt", "here")
        #expect(resolve("file:${NAME}.txt", folder: folder.path) == .success("here"))
    }

    @Test func looksAtNothingTwice() throws {
        let folder = try Folder()
        try folder.write("key.txt", "${NAME}")
        #expect(resolve("file:key.txt", folder: folder.path) == .success("${NAME}"))
    }

    @Test func saysWhyAFileCannotBeRead() throws {
        let folder = try Folder()
        try folder.write("large", String(repeating: "x", count: ReferenceResolver.fileLimit + 1))
        for (path, why) in [("gone", "does not exist"), (".", "is a folder"), ("large", "is larger than")] {
            guard case .failure(let complaints) = resolve("file:\(path)", folder: folder.path) else {
                Issue.record("\(path) was read")
                continue
            }
            #expect(complaints.messages.first?.contains(why) == true, "\(complaints.messages)")
        }
    }

    @Test func namesAFileAsItIsWritten() throws {
        let folder = try Folder()
        guard case .failure(let complaints) = resolve("file:${NAME}/key.pem", folder: folder.path) else {
            Issue.record("a file was read")
            return
        }
        #expect(complaints.messages == ["the file ${NAME}/key.pem does not exist"])
    }

    /// As in `keys: [{ file: "${KEY}" }]`, where a path is meant and the variable holds the key.
    @Test func showsNothingOfAKeyThatStandsWhereAPathShould() throws {
        let values = ["KEY": "c2VjcmV0LWtleQ", "PEM": "-----BEGIN PRIVATE KEY-----\nc2VjcmV0LWtleQ\n"]
        let resolver = ReferenceResolver(folder: "") { name in values[name].map { SecretText($0) } }
        for (name, says) in [("KEY", "the file ${KEY} does not exist"), ("PEM", "must be the path of a file")] {
            let path = try #require(resolver.resolve(SecretText("${\(name)}")) { Issue.record("\($0)") })
            let failure = #expect(throws: FileFailure.self) { try resolver.contents(of: path.reveal()) }
            #expect(failure?.description.contains(says) == true)
            #expect(failure?.description.contains("c2VjcmV0") == false)
        }
    }

    private struct Complaints: Error, Equatable {
        var messages: [String]
    }

    private func resolve(_ text: String, folder: String = "") -> Result<String, Complaints> {
        let values = ["NAME": "Ada", "OTHER": "${NAME}", "EMPTY": ""]
        let resolver = ReferenceResolver(folder: folder) { name in values[name].map { SecretText($0) } }
        var complaints = Complaints(messages: [])
        let resolved = resolver.resolve(SecretText(text)) { complaints.messages.append($0) }
        return resolved.map { .success($0.reveal()) } ?? .failure(complaints)
    }
}
