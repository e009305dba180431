import Foundation
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// The README's session works as it is printed, against what `make serve` runs.
@Suite(.serialized)
struct ReadmeSessionTests {
    /// A folder with what `make serve` needs of the repository, on ports that are free: nothing else is changed.
    private func folder(_ ports: [String: UInt16]) throws -> URL {
        let folder = try LaboratoryGateway.makeFolder()
        let files = FileManager.default
        for name in ["examples", ".build"] {
            try files.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        for name in ["examples/serve", "examples/passgate.yaml"] {
            let copy = folder.appending(path: name)
            try Data(moved(try ReadmeSession.text(name), to: ports).utf8).write(to: copy)
            let source = try files.attributesOfItem(atPath: ReadmeSession.root.appending(path: name).path)
            try files.setAttributes(source.filter { $0.key == .posixPermissions }, ofItemAtPath: copy.path)
        }
        try files.createSymbolicLink(
            at: folder.appending(path: ".build/debug"),
            withDestinationURL: House.command("passgate").deletingLastPathComponent())
        return folder
    }

    private func moved(_ text: String, to ports: [String: UInt16]) -> String {
        // In one pass: a free port may hold another's digits.
        text.replacing(/80[89][01]/) { ports[String($0.output)].map { "\($0)" } ?? String($0.output) }
    }

    /// Ports that nothing listens on, and that the kernel gives to nobody by itself: other tests take those meanwhile.
    private func freePorts(_ count: Int) throws -> [UInt16] {
        var ports: Set<UInt16> = []
        while ports.count < count {
            let port = UInt16.random(in: 20_000..<32_000)
            if (try? RawCaller(port: port)) == nil { ports.insert(port) }
        }
        return Array(ports)
    }

    @Test func everyCommandDoesWhatIsSaid() async throws {
        let session = try ReadmeSession()
        #expect(session.server == "make serve")
        #expect(try ReadmeSession.text("Makefile").contains("\n\t@examples/serve "))
        let free = try freePorts(3)
        let ports = ["8080": free[0], "8081": free[1], "8090": free[2]]
        let folder = try folder(ports)
        defer { try? FileManager.default.removeItem(at: folder) }
        let serve = folder.appending(path: "examples/serve")
        let server = try ChildProcess(command: serve, arguments: [".build/debug"], in: folder)
        do { try await run(session, against: server, at: ports, in: folder) } catch {
            await end(server)
            throw error
        }
        #expect(await end(server) == 0)
    }

    /// Ends the gateway, on which the script ends the sandbox and itself: its exit code. The script cannot be told, since
    /// what a test starts has its signals blocked.
    @discardableResult
    private func end(_ server: ChildProcess) async -> Int32? {
        let path = "/proc/\(server.id)/task/\(server.id)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        for child in children.split(separator: " ").compactMap({ Int32($0) }) {
            let words = (try? String(contentsOfFile: "/proc/\(child)/cmdline", encoding: .utf8)) ?? ""
            if words.contains("/passgate\0serve\0") { kill(child, SIGTERM) }
        }
        let code = await server.exit(within: .seconds(20))
        await server.stop()
        return code
    }

    private func run(
        _ session: ReadmeSession, against server: ChildProcess, at ports: [String: UInt16], in folder: URL
    ) async throws {
        try await isReady(server, at: try #require(ports["8080"]))
        let script = folder.appending(path: "session")
        try Data(moved(session.script, to: ports).utf8).write(to: script)
        let shell = try ChildProcess(command: URL(filePath: "/bin/bash"), arguments: [script.path], in: folder)
        #expect(await shell.exit(within: .seconds(60)) == 0)
        await shell.stop()
        let results = ReadmeSession.results(in: shell.output)
        #expect(results.allSatisfy { $0.code == 0 }, "\(shell.output)")
        // What each command of the README shows. One more there is one more here.
        try #require(results.count == 11, "\(shell.output)")
        let answers = results.map { try? JSONParser().parse(SecretBytes(utf8: $0.output)).root }
        #expect(answers[0]?["object"]?.string == "card" && answers[0]?["id"]?.string == "card_1")
        #expect(answers[1]?["data"]?.elements?.map { $0["wallet"]?.string } == ["apple_pay", "google_pay"])
        #expect(answers[1]?["data"]?.elements?.allSatisfy { $0["eligible"]?.bool == true } == true)
        #expect(answers[2]?["action"]?.string == "add_to_watch" && answers[2]?["target"]?.string == "watch")
        #expect(answers[3]?["status"]?.string == "handed_off")
        #expect(answers[3]?["handoff"]?["type"]?.string == "google_pay_opaque_card")
        let record = try #require(answers[4]?["data"]?.elements?.first)
        #expect(record["id"]?.string == answers[3]?["id"]?.string && record["handoff"]?.isNull == true)
        // Two answers in a row: the record as the device left it, and its timeline.
        #expect(results[5].output.contains(#""status":"added""#), "\(results[5].output)")
        #expect(results[5].output.contains(#""step":"added","source":"device""#), "\(results[5].output)")
        #expect(results[6].output.contains("decrypted the pass"), "\(results[6].output)")
        #expect(answers[7]?["data"]?.elements?.map { $0["status"]?.string } == ["active", "active"])
        #expect(answers[8]?["data"]?.elements?.last?["type"]?.string?.hasPrefix("provisioning.") == true)
        #expect(answers[9]?["code"]?.string == "card_not_found" && answers[9]?["retry"]?.string == "never")
        #expect(answers[10]?["object"]?.string == "problem_type" && answers[10]?["code"]?.string == "card_not_found")
    }

    /// Waits until the gateway answers.
    private func isReady(_ server: ChildProcess, at port: UInt16) async throws {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            if let caller = try? RawCaller(port: port) {
                try caller.send("GET", "/readyz")
                caller.halfClose()
                if try await caller.rest().hasPrefix("HTTP/1.1 200 ") { return }
            }
            try #require(server.isRunning && ContinuousClock.now < end, "\(server.output)")
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
