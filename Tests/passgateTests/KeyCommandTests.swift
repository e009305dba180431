import Foundation
import Testing

@testable import passgate

@Suite("keys create, list and revoke, and the gateway that runs beside them")
struct KeyCommandTests {
    private let folder: Folder

    init() throws { folder = try Folder() }

    private var yaml: String { Example.yaml("sqlite:passgate.db", "sqlite:\(folder.path)/keys.db") }
    private var withoutKeys: String {
        yaml.split(separator: "\n").filter { !$0.contains("backend") && !$0.contains("api_keys") }
            .joined(separator: "\n")
    }

    private func run(_ words: [String], _ configuration: String? = nil) async throws -> (code: Int32, output: String) {
        try await Gate.run(words, configuration: configuration ?? yaml)
    }

    private func create(_ name: String, _ more: [String] = []) async throws -> String {
        let made = try await run(["keys", "create", "--name", name, "--scopes", "cards:read,cards:write"] + more)
        #expect(made.code == 0, "\(made.output)")
        let key = try #require(made.output.firstMatch(of: /pgk_[A-Za-z0-9_-]{43}\b/)?.0)
        return String(key)
    }

    @Test func aKeyIsShownOnceAndListedWithoutIt() async throws {
        let key = try await create("app", ["--programs", "trial,rides"])
        let json = try await run(["keys", "create", "--name", "all", "--scopes", "admin", "--json"])
        let made = try JSONDecoder().decode(Made.self, from: Data(json.output.utf8))
        #expect(made.key.hasPrefix("pgk_") && made.scopes == ["admin"] && made.programs == nil)
        let list = try await run(["keys", "list"])
        #expect(list.code == 0)
        let lines = list.output.split(separator: "\n")
        #expect(lines.count == 4 && lines[0].hasPrefix("name "))
        #expect(lines[1].contains("backend") && lines[1].hasSuffix("in the configuration"))
        #expect(lines[2].contains("cards:read,cards:write") && lines[2].contains("rides,trial"))
        #expect(lines[3].contains(made.id) && lines[3].contains("all programs"))
        let listed = try await run(["keys", "list", "--json"])
        #expect(try JSONDecoder().decode(Listed.self, from: Data(listed.output.utf8)).keys.count == 3)
        for secret in [key, made.key, String(key.suffix(6)), Example.key] {
            #expect(!list.output.contains(secret) && !listed.output.contains(secret))
        }
        for name in ["keys.db", "keys.db-wal"] {
            let bytes = (try? Data(contentsOf: URL(filePath: "\(folder.path)/\(name)"))) ?? Data()
            #expect(bytes.range(of: Data(key.dropFirst(4).utf8)) == nil)
        }
        let trail = try await run(["audit", "verify"])
        #expect(trail.code == 0 && trail.output.contains("*: 1 entries, whole"), "\(trail.output)")
        #expect(trail.output.contains("rides: 1 entries") && trail.output.contains("trial: 1 entries"))
    }

    @Test func whatThereIsNotIsRefused() async throws {
        for (words, part) in [
            (["--name", "a"], "--name and --scopes are needed"),
            (["--name", "a", "--scopes", "card:read"], "card:read is not a scope; did you mean cards:read?"),
            (["--name", "a", "--scopes", ","], "name at least one"),
            (["--name", "a", "--scopes", "admin", "--programs", "ride"], "ride is not a program; did you mean rides?"),
            (["--name", "a b", "--scopes", "admin"], "1 to 64 letters"),
            (["--name", "key_a", "--scopes", "admin"], "taken for a key's id"),
        ] {
            let refused = try await run(["keys", "create"] + words)
            #expect(refused.code == 64 && refused.output.contains(part), "\(refused.output)")
        }
        let taken = try await run(["keys", "create", "--name", "backend", "--scopes", "admin"])
        #expect(taken.code == 1 && taken.output.contains("a key of the configuration has the name"))
        _ = try await create("app")
        let twice = try await run(["keys", "create", "--name", "app", "--scopes", "admin"])
        #expect(twice.code == 1 && twice.output.contains("a key in force has the name app"))
        let unknown = try await run(["keys", "revoke", "nobody"])
        #expect(unknown.code == 1 && unknown.output.contains("no key in force is called nobody"))
        let configured = try await run(["keys", "revoke", "backend"])
        #expect(configured.code == 1 && configured.output.contains("take it out there"))
        #expect(try await run(["keys", "revoke"]).code == 64)
    }

    /// One key takes another's place without a moment in which neither or a wrong one is let in.
    @Test func keysAreReplacedWhileTheGatewayRuns() async throws {
        let gate = try Gate(["serve"], configuration: yaml)
        let line = try #require(await gate.line(with: "\"event\":\"listening\""), "\(gate.output)")
        let port = try #require(line.firstMatch(of: /"url":"http:\/\/127.0.0.1:(\d+)"/).flatMap { Int($0.1) })
        let former = try await create("app", ["--programs", "rides"])
        #expect(try await gate.get("/v1/cards", at: port, key: former).contains(" 200 "), "at once")
        let next = try await create("app-2", ["--programs", "rides"])
        #expect(try await gate.get("/v1/cards", at: port, key: next).contains(" 200 "))
        #expect(try await gate.get("/v1/cards", at: port, key: former).contains(" 200 "))
        #expect(try await run(["keys", "revoke", "app"]).code == 0)
        let deadline = ContinuousClock.now + .seconds(2)
        var answer = ""
        repeat {
            answer = try await gate.get("/v1/cards", at: port, key: former)
        } while answer.contains(" 200 ")
            && ContinuousClock.now < deadline
        #expect(answer.contains(" 401 "), "two seconds at most")
        #expect(try await gate.get("/v1/cards", at: port, key: next).contains(" 200 "))
        let list = try await run(["keys", "list", "--all"])
        #expect(list.output.contains("revoked ") && list.output.contains("app-2"))
        #expect(try await !run(["keys", "list"]).output.contains("revoked "))
        gate.signal(SIGHUP)
        #expect(await gate.line(with: "\"event\":\"reloaded\"") != nil)
        #expect(try await gate.get("/v1/cards", at: port, key: next).contains(" 200 "))
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)
        #expect(!gate.output.contains(next))
    }

    @Test func aKeyInTheStoreIsEnoughForServe() async throws {
        let empty = try await run(["check"], withoutKeys)
        #expect(empty.code == 0 && empty.output.contains("warning: api_keys: there is no key"))
        let key = try await create("app")
        let checked = try await run(["check"], withoutKeys)
        #expect(checked.code == 0 && !checked.output.contains("api_keys"), "\(checked.output)")
        let gate = try Gate(["serve"], configuration: withoutKeys)
        let line = try #require(await gate.line(with: "\"event\":\"listening\""), "\(gate.output)")
        let port = try #require(line.firstMatch(of: /"url":"http:\/\/127.0.0.1:(\d+)"/).flatMap { Int($0.1) })
        #expect(try await gate.get("/v1/capabilities", at: port, key: key).contains(" 200 "))
        gate.signal(SIGHUP)
        #expect(await gate.line(with: "\"event\":\"reloaded\"") != nil, "\(gate.output)")
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)
    }

    @Test func twoKeysOfOneNameAreToldApartByCheck() async throws {
        _ = try await create("app")
        let both = yaml.replacing("name: backend", with: "name: app")
        let checked = try await run(["check"], both)
        #expect(checked.code == 0 && checked.output.contains("`app` is also the name of a key in the store"))
    }

    private struct Made: Decodable {
        let key: String
        let id: String
        let scopes: [String]
        let programs: [String]?
    }

    private struct Listed: Decodable {
        struct Key: Decodable { let name: String }
        let keys: [Key]
    }
}
