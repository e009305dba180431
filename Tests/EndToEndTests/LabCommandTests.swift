import Foundation
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

/// The laboratory command, as a person or a script runs it.
@Suite(.serialized)
struct LabCommandTests {
    /// Runs the command to its end.
    private func run(_ arguments: [String], within limit: Duration = .seconds(60)) async throws
        -> (status: Int32?, output: String, errors: String)
    {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try ChildProcess(command: House.command("passgate-lab"), arguments: arguments, in: folder)
        let status = await process.exit(within: limit)
        await process.stop()
        let errors = try String(contentsOf: process.errorFile, encoding: .utf8)
        return (status, process.output, errors)
    }

    private func parse(_ text: String) throws -> JSONView { try JSONParser().parse(SecretBytes(utf8: text)).root }

    @Test func theDemoShowsAllAndEndsWell() async throws {
        let demo = try await run(["demo"])
        #expect(demo.status == 0, "\(demo.output)\(demo.errors)")
        #expect(demo.output.contains("simulated") && demo.output.contains("device decrypted the pass"))
        #expect(demo.output.contains("handshake_reused") && demo.output.contains("All went as shown."))
        #expect(!demo.output.contains("\u{1b}"), "no colours where nobody looks")
    }

    @Test func theDemoTellsMachinesTheSame() async throws {
        let demo = try await run(["demo", "--json"])
        #expect(demo.status == 0, "\(demo.output)\(demo.errors)")
        let json = try parse(demo.output)
        #expect(json["ok"]?.bool == true && json["simulated"]?.bool == true && json["gateway_exit"]?.integer == 0)
        let rows = try #require(json["rows"]?.elements)
        #expect(rows.allSatisfy { $0["as_expected"]?.bool == true })
        func wallets(_ processor: String) -> [String?] {
            rows.filter { $0["processor"]?.string == processor }.map { $0["wallet"]?.string }
        }
        #expect(wallets("Increase") == ["apple_pay", "apple_pay", "google_pay", "google_pay"])
        #expect(wallets("Imprint") == ["apple_pay", "apple_pay", "google_pay"])
        #expect(wallets("Thales") == ["apple_pay", "google_pay"])
        let reused = rows.filter { $0["status"]?.string == "409 handshake_reused" }
        #expect(reused.compactMap { $0["processor"]?.string } == ["Increase", "Imprint"])
    }

    @Test(arguments: [
        ["dance"], ["listen"], ["listen", "--gateway", "http://127.0.0.1:1"],
        ["listen", "--gateway", "http://127.0.0.1:1", "--key", "k", "--after", "a b"], ["demo", "--loud"],
        ["sandbox", "--port"], ["sandbox", "--port", "70000"], ["try"],
        ["try", "--gateway", "127.0.0.1", "--key", "k", "--card", "c"],
        ["try", "--gateway", "http://127.0.0.1:1", "--key", "k", "--card", "a/b"],
        ["try", "--gateway", "http://127.0.0.1:1", "--key", "k", "--card", "c", "--wallet", "samsung_pay"],
        ["try", "--gateway", "http://127.0.0.1:1", "--key", "k", "--card", "c", "--channel", "web"],
    ])
    func aWrongCommandLineIsExplained(arguments: [String]) async throws {
        let result = try await run(arguments)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.hasPrefix("passgate-lab: ") && result.errors.contains("--help"))
    }

    @Test(arguments: [[], ["--help"], ["demo", "--help"], ["help"]])
    func helpNamesCommandsAndExitCodes(arguments: [String]) async throws {
        let result = try await run(arguments)
        #expect(result.status == 0 && result.errors.isEmpty)
        for word in ["demo", "sandbox", "try", "--json", "exit codes", "simulated"] {
            #expect(result.output.contains(word))
        }
    }

    @Test func tryingWithoutAGatewaySaysSo() async throws {
        let result = try await run([
            "try", "--gateway", "http://127.0.0.1:1", "--key", "pgk_none", "--card", "card_1", "--json",
        ])
        #expect(result.status == 69)
        #expect(try parse(result.output)["ok"]?.bool == false && !result.output.contains("pgk_none"))
    }

    @Test func tryingPrintsEachStep() async throws {
        try await House.with { house in
            try await house.register("card_1")
            let base = [
                "try", "--gateway", house.gateway.configuration.url, "--key",
                house.gateway.configuration.apiKey.reveal(), "--card", "card_1",
            ]
            let apple = try await run(base)
            #expect(apple.status == 0 && apple.output.contains("decrypted the pass"), "\(apple.output)")
            let web = try await run(base + ["--wallet", "google_pay", "--channel", "web", "--json"])
            #expect(web.status == 0)
            let json = try parse(web.output)
            #expect(json["ok"]?.bool == true && json["steps"]?.elements?.count ?? 0 >= 3)
            let stranger = try await run(base + ["--cardholder", "somebody_else"])
            #expect(stranger.status == 1 && stranger.output.contains("card_not_found"), "\(stranger.output)")
        }
    }

    @Test func theSandboxServesUntilItIsStopped() async throws {
        try await House.with { house in
            let folder = try LaboratoryGateway.makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let process = try ChildProcess(
                command: House.command("passgate-lab"), arguments: ["sandbox", "--port", "0", "--json"], in: folder)
            try await house.wait { process.output.hasSuffix("\n") || !process.isRunning }
            let json = try parse(process.output)
            let url = try #require(json["url"]?.string)
            let emulators = try #require(json["emulators"]?.elements)
            let keys = emulators.compactMap { $0["connection"]?["api_key"]?.string }
            #expect(keys.contains { $0.hasPrefix("sandbox_increase") })
            let client = GatewayClient(baseURL: url, key: nil, transport: house.transport, json: JSONParser())
            let overview = try await client.send(.get, "/_lab")
            #expect(overview.status == 200 && overview.json?["emulators"]?.elements?.count == emulators.count)
            process.drain()
            #expect(await process.exit(within: .seconds(10)) == 0)
            let text = try await textOfSandbox(house)
            #expect(text.contains("sandbox_card_ratelimited") && text.contains("curl -s http://127.0.0.1:"))
        }
    }

    /// What the sandbox prints for people.
    private func textOfSandbox(_ house: House) async throws -> String {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try ChildProcess(
            command: House.command("passgate-lab"), arguments: ["sandbox", "--port", "0"], in: folder)
        try await house.wait { process.output.contains("Ctrl-C ends it.") || !process.isRunning }
        await process.stop()
        return process.output
    }
}
