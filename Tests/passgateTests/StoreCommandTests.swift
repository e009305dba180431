import Foundation
import Testing

@testable import passgate

@Suite("store migrate, backup and verify, beside a gateway that runs")
struct StoreCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var yaml: String { Example.yaml("sqlite:passgate.db", "sqlite:\(folder.path)/store.db") }
    private var copy: String { "\(folder.path)/copy.db" }

    private func run(_ words: [String], _ configuration: String? = nil) async throws -> (code: Int32, output: String) {
        try await Gate.run(words, configuration: configuration ?? yaml)
    }

    private func importCards(_ ids: [String]) async throws {
        let lines = ids.map { id in
            """
            {"id":"\(id)","binding":{"connection":"main","provider_card_id":"card_\(id)","last4":"4242",\
            "network":"visa"},"cardholder":{"id":"u","name":"Zoë"}}
            """
        }
        try folder.write("cards.ndjson", lines.joined(separator: "\n"))
        let imported = try await run(["cards", "import", "\(folder.path)/cards.ndjson", "--program", "rides"])
        #expect(imported.code == 0, "\(imported.output)")
    }

    @Test func aPlanIsToldAndThenRun() async throws {
        let plan = try await run(["store", "migrate", "--plan"])
        #expect(plan.code == 1 && plan.output.hasPrefix("would run step 1: cards"))
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/store.db"))
        let done = try await run(["store", "migrate", "--json"])
        #expect(
            done.code == 0 && done.output.hasPrefix(#"{"found":0,"known":"#) && done.output.contains(#""done":true"#))
        let again = try await run(["store", "migrate", "--plan"])
        #expect(again.code == 0 && again.output.hasSuffix("nothing to do"))
        #expect(try await run(["store", "migrate"]).code == 0)
    }

    /// The copy is made while the gateway serves, is looked over, and a gateway serves from it in the place of the
    /// first.
    @Test func aGatewayServesFromTheCopyOfAnothersStore() async throws {
        let gate = try Gate(["serve"], configuration: yaml)
        _ = try #require(await gate.line(with: "\"event\":\"listening\""), "\(gate.output)")
        try await importCards(["a", "b"])
        let made = try await run(["store", "backup", copy])
        #expect(made.code == 0 && made.output.contains("is copied to"), "\(made.output)")
        try await importCards(["c"])
        let again = try await run(["store", "backup", copy])
        #expect(again.code == 1 && again.output.contains("it was left as it is"))
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)

        let verified = try await run(["store", "verify", "--copy", copy])
        #expect(verified.code == 0 && verified.output.contains("copy.db is whole"), "\(verified.output)")
        let manager = FileManager.default
        for name in ["store.db", "store.db-wal", "store.db-shm"] {
            try? manager.removeItem(atPath: "\(folder.path)/\(name)")
        }
        try manager.moveItem(atPath: copy, toPath: "\(folder.path)/store.db")
        let restored = try Gate(["serve"], configuration: yaml)
        let line = try #require(await restored.line(with: "\"event\":\"listening\""), "\(restored.output)")
        let port = try #require(line.firstMatch(of: /"url":"http:\/\/127.0.0.1:(\d+)"/).flatMap { Int($0.1) })
        #expect(try await restored.get("/v1/cards/b", at: port, key: Example.key).contains(" 200 "))
        #expect(try await restored.get("/v1/cards/c", at: port, key: Example.key).contains(" 404 "))
        #expect(try await run(["store", "verify"]).code == 0)
        restored.signal(SIGTERM)
        #expect(await restored.end() == 0)
    }

    @Test func whatIsWrongIsNamed() async throws {
        let missing = try await run(["store", "verify"])
        #expect(missing.code == 66 && missing.output.contains("there is no store"))
        #expect(try await run(["store", "backup", copy]).code == 66)
        try await importCards(["a"])
        let whole = try await run(["store", "verify", "--json"])
        #expect(whole.code == 0 && whole.output.contains(#""whole":true"#))
        // Another root secret cannot tell the trail.
        let other = try await run(["store", "verify"], yaml.replacing("000102", with: "ff0102"))
        #expect(other.code == 1 && other.output.contains("audit: NOT WHOLE: rides: "), "\(other.output)")
        try folder.write("store.db-wal", "")
        try folder.write("store.db", String(repeating: "no database ", count: 1000))
        let broken = try await run(["store", "verify"])
        #expect(broken.code == 1 && broken.output.contains("store.db is not whole"))
        #expect(try await run(["store", "backup", copy]).code == 69)
        #expect(try await run(["store", "migrate", "--plan"]).code == 69)
    }
}
