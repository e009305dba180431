import Foundation
import Sandbox
import Testing

/// Runs a page's session against what `make serve` runs, in a folder of its own and on ports that are free.
struct SessionRun {
    /// What the page shows.
    let session: PageSession

    /// What each command of the page wrote, one after the other: each ended well.
    func results() async throws -> [String] {
        #expect(session.server == "make serve")
        #expect(try PageSession.text("Makefile").contains("\n\t@examples/serve "))
        let ports = Self.freePorts(["8080", "8081", "8090"])
        let folder = try folder(ports)
        defer { try? FileManager.default.removeItem(at: folder) }
        let serve = folder.appending(path: "examples/serve")
        let server = try ChildProcess(command: serve, arguments: [".build/debug"], in: folder)
        let results: [String]
        do { results = try await run(against: server, at: ports, in: folder) } catch {
            await end(server)
            throw error
        }
        #expect(await end(server) == 0)
        return results
    }

    private func run(against server: ChildProcess, at ports: [String: UInt16], in folder: URL) async throws
        -> [String]
    {
        try await isReady(server, at: try #require(ports["8080"]))
        let script = folder.appending(path: "session")
        try Data(Self.moved(session.script, to: ports).utf8).write(to: script)
        let shell = try ChildProcess(command: URL(filePath: "/bin/bash"), arguments: [script.path], in: folder)
        #expect(await shell.exit(within: .seconds(60)) == 0)
        await shell.stop()
        let results = PageSession.results(in: shell.output)
        #expect(results.allSatisfy { $0.code == 0 }, "\(shell.output)")
        try #require(results.count == session.commands.count, "\(shell.output)")
        return results.map(\.output)
    }

    /// A folder with what `make serve` needs of the repository, on ports that are free: nothing else is changed.
    private func folder(_ ports: [String: UInt16]) throws -> URL {
        let folder = try LaboratoryGateway.makeFolder()
        let files = FileManager.default
        for name in ["examples", ".build"] {
            try files.createDirectory(at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        for name in ["examples/serve", "examples/passgate.yaml"] {
            let copy = folder.appending(path: name)
            try Data(Self.moved(try PageSession.text(name), to: ports).utf8).write(to: copy)
            let source = try files.attributesOfItem(atPath: PageSession.root.appending(path: name).path)
            try files.setAttributes(source.filter { $0.key == .posixPermissions }, ofItemAtPath: copy.path)
        }
        try files.createSymbolicLink(
            at: folder.appending(path: ".build/debug"),
            withDestinationURL: House.command("passgate").deletingLastPathComponent())
        return folder
    }

    /// A page's text on other ports.
    static func moved(_ text: String, to ports: [String: UInt16]) -> String {
        // In one pass: a free port may hold another's digits.
        text.replacing(/80[89][01]/) { ports[String($0.output)].map { "\($0)" } ?? String($0.output) }
    }

    /// For each of a page's ports one that nothing listens on, and that the kernel gives to nobody by itself: other tests
    /// take those meanwhile.
    static func freePorts(_ names: [String]) -> [String: UInt16] {
        var ports: [String: UInt16] = [:]
        while ports.count < names.count {
            let port = UInt16.random(in: 20_000..<32_000)
            if !ports.values.contains(port), (try? RawCaller(port: port)) == nil { ports[names[ports.count]] = port }
        }
        return ports
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
