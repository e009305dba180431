import Foundation
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// The commands of docs/quickstart.md work as they are printed: from nothing to a card in a wallet, and its events.
@Suite(.serialized)
struct QuickstartPageTests {
    private let page = "docs/quickstart.md"

    /// What each command wrote, and its exit code, in a folder with nothing but the built commands, on free ports.
    private func results(of session: PageSession) async throws -> [(output: String, code: Int32?)] {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder.appending(path: ".build"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: ".build/debug"),
            withDestinationURL: House.command("passgate").deletingLastPathComponent())
        let ports = SessionRun.freePorts(["8080", "8081", "8090"])
        // Whatever a command begins ends with the session, should one before the page's last go wrong.
        let guarding = "trap 'kill $(jobs -p) 2> /dev/null; wait' EXIT\nset -o pipefail\n"
        let script = folder.appending(path: "session")
        try Data(SessionRun.moved(guarding + session.script, to: ports).utf8).write(to: script)
        let shell = try ChildProcess(
            command: URL(filePath: "/usr/bin/timeout"), arguments: ["-k", "5", "90", "/bin/bash", script.path],
            in: folder)
        #expect(await shell.exit(within: .seconds(100)) == 0)
        await shell.stop()
        return PageSession.results(in: shell.output)
    }

    @Test func theFirstCommandIsMakesOwn() throws {
        #expect(try PageSession(of: page).server == "make demo")
        #expect(try PageSession.text("Makefile").contains(#"passgate-lab" demo"#))
    }

    @Test func everyCommandDoesWhatIsSaid() async throws {
        let session = try PageSession(of: page)
        // A step that is added, or has two blocks, is one that this test does not know.
        let steps = try PageSession.text(page).matches(of: /\n\*\*(\d+)\.\s/).map { String($0.output.1) }
        try #require(steps == (1...13).map { "\($0)" } && session.commands.count == 13)
        let results = try await results(of: session)
        try #require(results.count == 13, "\(results)")
        #expect(results.allSatisfy { $0.code == 0 }, "\(results)")
        let answers = results.map { try? JSONParser().parse(SecretBytes(utf8: $0.output)).root }
        #expect(results[1].output.contains("provider: increase"))
        #expect(results[3].output.contains("passgate.yaml can be used"))
        #expect(results[4].output.contains("the gateway is ready"))
        #expect(answers[5]?["object"]?.string == "card" && answers[5]?["serving"]?.string == "increase_test")
        #expect(answers[6]?["data"]?.elements?.map { $0["eligible"]?.bool } == [true, true])
        #expect(answers[7]?["action"]?.string == "add" && answers[7]?["target"]?.string == "phone")
        #expect(results[9].output.contains("handed_off by increase"), "\(results[9].output)")
        #expect(results[9].output.contains("decrypted the pass"), "\(results[9].output)")
        #expect(results[10].output.contains("/v1/inbound/increase_test: 200"))
        let last = results[11].output
        #expect(last.contains("provisioning.handed_off") && last.contains("provisioning.active"), "\(last)")
        #expect(last.contains(#""object":"token""#) && last.contains(#""status":"active""#), "\(last)")
    }
}
