import Foundation
import Testing

@testable import passgate

@Suite("cards import stores a file's cards, and audit verify says whether their trail is whole")
struct ImportCardsTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var yaml: String { Example.yaml("sqlite:passgate.db", "sqlite:\(folder.path)/cards.db") }

    private func line(_ id: String) -> String {
        """
        {"id":"\(id)","binding":{"connection":"main","provider_card_id":"card_\(id)","last4":"4242",\
        "network":"visa"},"cardholder":{"id":"u","name":"Zoë"}}
        """
    }

    private func run(_ words: [String], _ text: String? = nil) async throws -> (code: Int32, output: String) {
        if let text { try folder.write("cards.ndjson", text) }
        let (code, output) = try await Gate.run(
            words.map { $0 == "FILE" ? "\(folder.path)/cards.ndjson" : $0 }, configuration: yaml)
        return (code, output)
    }

    @Test func everyLineIsStoredOrTold() async throws {
        let words = ["cards", "import", "FILE", "--program", "rides"]
        let first = try await run(words, [line("a"), "nonsense", line("b")].joined(separator: "\n"))
        #expect(first.code == 1)
        #expect(first.output.contains("cards.ndjson:2: malformed_json: The line is not one JSON object in UTF-8."))
        #expect(first.output.hasSuffix("2 imported, 0 updated, 1 failed"))
        let again = try await run(words + ["--json"], [line("a"), line("b"), line("c")].joined(separator: "\r\n"))
        #expect(again.code == 0)
        #expect(again.output == #"{"imported":1,"updated":2,"failed":0,"errors":[]}"#)
        let trail = try await run(["audit", "verify"])
        #expect(trail.code == 0 && trail.output.hasPrefix("rides: 2 entries, whole, head 2:"))
    }

    @Test func itNeedsAFileAndAProgram() async throws {
        #expect(try await run(["cards", "import"]).code == 64)
        #expect(try await run(["cards", "import", "FILE"]).code == 64)
        #expect(try await run(["cards", "import", "FILE", "--program", "gone"]).code == 64)
        #expect(try await run(["cards", "export"]).output.contains("did you mean cards import?"))
        let missing = try await run(["cards", "import", "nowhere.ndjson", "--program", "rides"])
        #expect(missing.code == 66 && missing.output.contains("there is no file nowhere.ndjson"))
        let isFolder = try await run(["cards", "import", folder.path, "--program", "rides"])
        #expect(isFolder.code == 66 && isFolder.output.contains("cannot be read"))
        let (code, _) = try await Gate.run(
            ["cards", "import", "-"], configuration: Example.yaml("key_of_main", "${PASSGATE_UNSET}"))
        #expect(code == 78)
    }

    @Test func theStandardInputIsAFile() async throws {
        let result = try await run(["cards", "import", "-", "--program", "trial", "--json"])
        #expect(result.code == 0 && result.output == #"{"imported":0,"updated":0,"failed":0,"errors":[]}"#)
    }

    @Test func aHeadThatWasToldIsLookedFor() async throws {
        _ = try await run(["cards", "import", "FILE", "--program", "rides"], line("a"))
        let trail = try await run(["audit", "verify"])
        let head = try #require(trail.output.split(separator: " ").last.map(String.init))
        #expect(try await run(["audit", "verify", "--head", head]).code == 0)
        let later = "2:" + head.dropFirst(2)
        let cut = try await run(["audit", "verify", "--head", later, "--json"])
        #expect(cut.code == 1)
        #expect(cut.output.contains(#""whole":false"#) && cut.output.contains(#""fault":"cut""#))
        #expect(try await run(["audit", "verify", "--head", "nonsense"]).code == 64)
        let other = try await run(["audit", "verify", "--head", head, "--program", "trial"])
        #expect(other.code == 1 && other.output.contains("trial: entry 1: cut off"))
    }

    @Test func anEmptyTrailIsWhole() async throws {
        let trail = try await run(["audit", "verify"])
        #expect(trail.code == 0 && trail.output == "the audit trail is empty")
    }

    @Test func theBarIsAsWideAsThePartThatIsDone() {
        #expect(ImportMeter.bar(0, of: 10) == "[------------------------]   0 %")
        #expect(ImportMeter.bar(5, of: 10) == "[############------------]  50 %")
        #expect(ImportMeter.bar(20, of: 10) == "[########################] 100 %")
        #expect(ImportMeter.bar(0, of: 0) == "[########################] 100 %")
    }
}
