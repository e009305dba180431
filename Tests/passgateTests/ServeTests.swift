import Foundation
import Testing

@testable import passgate

@Suite("serve runs until it is told to end")
struct ServeTests {
    @Test func saysWhereItListensAndEndsInGoodOrder() async throws {
        for signal in [SIGTERM, SIGINT] {
            let gate = try Gate(["serve"], configuration: Example.yaml)
            let line = try #require(await gate.line(with: "\"event\":\"listening\""), "\(gate.output)")
            let listening = try JSONDecoder().decode(Listening.self, from: Data(line.utf8))
            #expect(listening.url.hasPrefix("http://127.0.0.1:"))
            #expect(listening.admin_url.hasPrefix("http://127.0.0.1:"))
            #expect(listening.url != listening.admin_url)
            gate.signal(signal)
            #expect(await gate.end() == 0)
            #expect(gate.output.contains("\"event\":\"ended\""))
        }
    }

    @Test func keepsItsStoreToItself() async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml)
        _ = await gate.line(with: "listening")
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(gate.folder.path)/passgate.db")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)
    }

    /// Nobody without the system's own privilege may look into its memory, and no core file holds it.
    @Test func keepsItsMemoryToItself() async throws {
        // Root may trace whom it likes. Without that privilege, on both sides, it is a user like others.
        let prefix = geteuid() == 0 ? ["setpriv", "--bounding-set=-sys_ptrace"] : []
        let gate = try Gate(["serve"], behind: prefix, configuration: Example.yaml)
        #expect(await gate.line(with: "listening") != nil)
        let other = try start(prefix + ["sleep", "600"])
        defer { other.terminate() }
        while try String(contentsOfFile: "/proc/\(other.processIdentifier)/comm", encoding: .utf8) != "sleep\n" {
            await Task.yield()
        }
        #expect(try end(of: start(prefix + ["readlink", "/proc/\(other.processIdentifier)/exe"])) == 0)
        #expect(try end(of: start(prefix + ["readlink", "/proc/\(gate.id)/exe"])) == 1)
        let limits = try String(contentsOfFile: "/proc/\(gate.id)/limits", encoding: .utf8)
        let core = try #require(limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(core)")
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)
    }

    private func start(_ words: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }

    private func end(of process: Process) -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test func doesNotStartWithAProblem() async throws {
        let yaml = Example.yaml("\"key_of_main\"", "\"\"").replacing("connection: lab", with: "connection: gone")
        let (code, output) = try await Gate.run(["serve"], configuration: yaml)
        #expect(code == 78)
        #expect(output.contains("passgate.yaml:7: connections.main.api_key: is empty"))
        #expect(output.contains("programs.trial.connection: "))
        #expect(!output.contains("listening"))
    }

    @Test func doesNotStartWithoutAKeyWhereNobodyLooks() async throws {
        let yaml = Example.yaml.split(separator: "\n").filter { !$0.contains("backend") && !$0.contains("api_keys") }
        let (code, output) = try await Gate.run(["serve"], configuration: yaml.joined(separator: "\n"))
        #expect(code == 78)
        #expect(output.contains("api_keys: "))
    }

    @Test func saysThatTheStoreCannotBeHad() async throws {
        let (code, output) = try await Gate.run(
            ["serve"], configuration: Example.yaml("passgate.db", "nowhere/passgate.db"))
        #expect(code == 69)
        #expect(output.contains("nowhere/passgate.db"))
    }

    @Test func saysThatThePortCannotBeHad() async throws {
        let first = try Gate(["serve"], configuration: Example.yaml)
        let port = try await port(of: first)
        let (code, output) = try await Gate.run(
            ["serve"],
            configuration: Example.yaml("server: { listen: \"127.0.0.1:0\"", "server: { listen: \"127.0.0.1:\(port)\""))
        #expect(code == 69)
        #expect(output.contains("cannot listen"))
        first.signal(SIGTERM)
        #expect(await first.end() == 0)
    }

    @Test func readsItsConfigurationAgain() async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml)
        _ = await gate.line(with: "listening")
        gate.signal(SIGHUP)
        #expect(await gate.line(with: "\"event\":\"reloaded\"") != nil)

        try gate.configure(
            Example.yaml("\"key_of_main\"", "\"\"").replacing("connection: lab", with: "connection: gone"))
        gate.signal(SIGHUP)
        #expect(await gate.line(with: "\"event\":\"reload_refused\"") != nil)
        #expect(gate.output.contains("\"key_path\":\"connections.main.api_key\""))
        #expect(gate.output.contains("\"key_path\":\"programs.trial.connection\""))

        let seen = gate.lines.count
        try gate.configure(Example.yaml("workers: 1", "workers: 2"))
        gate.signal(SIGHUP)
        let note = await gate.line(with: "\"event\":\"restart_needed\"", after: seen)
        #expect(note?.contains("\"key_path\":\"server\"") == true)
        #expect(await gate.line(with: "\"event\":\"reloaded\"", after: seen) != nil)
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)
    }

    @Test func letsInWhomTheNewConfigurationNames() async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml)
        let port = try await port(of: gate)
        let other = "pgk_OTHERfghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ"
        #expect(try await gate.get("/v1/capabilities", at: port, key: Example.key).contains(" 200 "))
        #expect(try await gate.get("/v1/capabilities", at: port, key: other).contains(" 401 "))
        try gate.configure(Example.yaml(Example.key, other))
        gate.signal(SIGHUP)
        #expect(await gate.line(with: "\"event\":\"reloaded\"") != nil)
        #expect(try await gate.get("/v1/capabilities", at: port, key: Example.key).contains(" 401 "))
        #expect(try await gate.get("/v1/capabilities", at: port, key: other).contains(" 200 "))
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)
    }

    @Test func finishesWhatIsUnderWay() async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml)
        let request = try HalfRequest(to: try await port(of: gate), in: gate.folder)
        #expect(await request.answer(with: "100 Continue"))
        gate.signal(SIGTERM)
        #expect(await gate.line(with: "\"event\":\"draining\"") != nil)
        try request.finish()
        #expect(await request.answer(with: "\"code\":\"unauthenticated\""))
        #expect(await gate.end() == 0)
    }

    /// A balancer sees `/readyz` say no before it finds a closed port.
    @Test func servesOnForAWhileWhereItIsToldTo() async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml("workers: 1", "workers: 1, drain_delay_ms: 60000"))
        let port = try await port(of: gate)
        #expect(try await gate.get("/readyz", at: port, key: Example.key).contains(" 200 "))
        gate.signal(SIGTERM)
        #expect(await gate.line(with: "\"event\":\"draining\"") != nil)
        #expect(try await gate.get("/readyz", at: port, key: Example.key).contains(" 503 "))
        #expect(try await gate.get("/v1/capabilities", at: port, key: Example.key).contains(" 200 "))
        gate.signal(SIGTERM)
        #expect(await gate.end() == ExitCode.interrupted.rawValue)
    }

    @Test func endsInGoodOrderWhenTheWhileIsOver() async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml("workers: 1", "workers: 1, drain_delay_ms: 50"))
        _ = try await port(of: gate)
        gate.signal(SIGTERM)
        #expect(await gate.end() == 0)
    }

    @Test func endsAtOnceWhenItIsToldTwice() async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml)
        let request = try HalfRequest(to: try await port(of: gate), in: gate.folder)
        #expect(await request.answer(with: "100 Continue"))
        gate.signal(SIGTERM)
        #expect(await gate.line(with: "\"event\":\"draining\"") != nil)
        gate.signal(SIGTERM)
        #expect(await gate.end() == ExitCode.interrupted.rawValue)
    }

    @Test func writesNoSecret() async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml)
        _ = await gate.line(with: "listening")
        try gate.configure(Example.yaml("environment: live", "environment: nowhere"))
        gate.signal(SIGHUP)
        _ = await gate.line(with: "reload_refused")
        gate.signal(SIGTERM)
        _ = await gate.end()
        for secret in ["key_of_main", Example.key, "0001020304"] { #expect(!gate.output.contains(secret)) }
    }

    private func port(of gate: Gate) async throws -> Int {
        let line = try #require(await gate.line(with: "\"event\":\"listening\""), "\(gate.output)")
        let listening = try JSONDecoder().decode(Listening.self, from: Data(line.utf8))
        return try #require(URL(string: listening.url)?.port)
    }

    private struct Listening: Decodable {
        let url: String
        let admin_url: String
    }
}
