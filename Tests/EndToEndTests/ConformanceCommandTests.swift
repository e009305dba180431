import EventLoop
import Foundation
import IncreaseEmulator
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing
import ThalesEmulator

/// `passgate-lab conformance`, as the author of an adapter runs it.
@Suite(.serialized)
struct ConformanceCommandTests {
    /// Runs the command to its end.
    private func run(_ arguments: [String], in folder: URL) async throws
        -> (status: Int32?, output: String, errors: String)
    {
        let process = try ChildProcess(
            command: House.command("passgate-lab"), arguments: ["conformance"] + arguments, in: folder)
        let status = await process.exit(within: .seconds(120))
        await process.stop()
        return (status, process.output, try String(contentsOf: process.errorFile, encoding: .utf8))
    }

    private func with(_ body: (URL) async throws -> Void) async throws {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// A sandbox that plays the real processor, and a configuration with a connection to it.
    private func withProcessor(_ body: (URL, _ url: String) async throws -> Void) async throws {
        let group = EventLoopGroup(count: 1)
        let emulator = IncreaseEmulator(json: JSONParser(), network: SimulatedNetwork())
        let server = try SandboxServer(Sandbox(emulators: [emulator], json: JSONParser()), on: group.loops)
        try await with { folder in
            let yaml = """
                root_secrets: ["${NOBODY_HAS_SET_THIS}"]
                connections:
                  lab: { provider: increase, environment: test, api_key: "\(IncreaseEmulator.apiKey)" }
                  wrong: { provider: increase, environment: test, api_key: "sandbox_wrong" }
                  real: { provider: increase, environment: live, api_key: "key_of_real" }
                """
            try Data(yaml.utf8).write(to: folder.appending(path: "passgate.yaml"))
            try await body(folder, server.url(of: emulator))
        }
        await server.stop()
    }

    @Test(arguments: [("increase", 150), ("thales", 50)])
    func anAdapterIsCheckedAgainstItsEmulator(provider: String, promises: Int) async throws {
        try await with { folder in
            let result = try await run([provider, "--json"], in: folder)
            let json = try JSONParser().parse(SecretBytes(utf8: result.output)).root
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(json["ok"]?.bool == true && json["broken"]?.integer == 0)
            #expect(json["kept"]?.integer ?? 0 > promises)
            #expect(json["promises"]?.elements?.allSatisfy { $0["promise"]?.string != nil } == true)
        }
    }

    @Test func whatARealProcessorCannotShowIsNotRun() async throws {
        try await withProcessor { folder, url in
            let result = try await run(
                ["increase", "--against", url, "--connection", "lab", "--card", "sandbox_card_ok"], in: folder)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("  kept     eligibility for apple_pay: card_exists has its"))
            #expect(result.output.contains("  kept     eligibility for apple_pay: credentials_rejected has its"))
            let needsDevice = "  not run  apple_pay in_app: card_exists has its normalized answer\n"
            #expect(result.output.contains(needsDevice + "             it needs a device\n"))
            #expect(result.output.contains("--card card_ineligible=ID names one"))
            #expect(!result.output.contains("  kept     google_pay web: card_exists"))
            #expect(!result.output.contains(IncreaseEmulator.apiKey))
        }
    }

    /// Thales is never called, so the address is the vault's. Its path stays where only the host changes.
    @Test(arguments: ["http://127.0.0.1:1", "https://vault.example/thales-vault", ""])
    func aVaultIsCheckedWhereItIsSaidToBe(_ configured: String) async throws {
        let group = EventLoopGroup(count: 1)
        let emulator = ThalesEmulator(json: JSONParser())
        let server = try SandboxServer(Sandbox(emulators: [emulator], json: JSONParser()), on: group.loops)
        let url = server.url(of: emulator)
        try await with { folder in
            let connection = emulator.connection(at: configured.isEmpty ? url : configured)
            let lines = connection.settings.map { "    \($0.key): \($0.value)" }
            let yaml = (["connections:", "  lab:"] + lines).joined(separator: "\n")
            try Data(yaml.utf8).write(to: folder.appending(path: "passgate.yaml"))
            for file in connection.files { try Data(file.contents.utf8).write(to: folder.appending(path: file.name)) }
            let host = url.replacing("/thales-vault", with: "")
            let against = configured.hasSuffix("thales-vault") ? host : url
            let result = try await run(["thales", "--against", against, "--card", emulator.demoCard.id], in: folder)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("  kept     google_pay in_app: card_exists has its"))
        }
        await server.stop()
    }

    @Test func aThalesConnectionWithoutAVaultHasNoAddress() async throws {
        try await with { folder in
            let yaml = "connections:\n  lab: { provider: thales, environment: test, issuer_id: I }\n"
            try Data(yaml.utf8).write(to: folder.appending(path: "passgate.yaml"))
            let result = try await run(["thales", "--against", "https://vault.example"], in: folder)
            #expect(result.status == 78)
            #expect(result.errors.contains("connections.lab names no address that --against could replace"))
        }
    }

    @Test func aBrokenPromiseIsShownAndEndsBadly() async throws {
        try await withProcessor { folder, url in
            let result = try await run(
                ["increase", "--against", url, "--connection", "wrong", "--card", "sandbox_card_ok"], in: folder)
            #expect(result.status == 1)
            #expect(result.output.contains("  BROKEN   eligibility for apple_pay: card_exists has its"))
            #expect(result.output.contains("got provider_unauthorized, refused"))
        }
    }

    @Test func aConnectionThatCannotBeUsedIsRefused() async throws {
        try await withProcessor { folder, url in
            let sentences = [
                ["--connection", "real"]: "environment must be test",
                ["--connection", "none"]: "has no connection to increase called none",
                []: "name one of passgate.yaml's connections to increase with --connection: lab, wrong, real",
                ["--config", "elsewhere.yaml"]: "elsewhere.yaml does not exist",
            ]
            for (arguments, sentence) in sentences {
                let result = try await run(["increase", "--against", url] + arguments, in: folder)
                #expect(result.status == 78 && result.output.isEmpty)
                #expect(result.errors.contains(sentence), "\(result.errors)")
            }
        }
    }

    @Test(arguments: [
        [], ["acme"], ["increase", "extra"], ["increase", "--against", "sandbox.example"],
        ["increase", "--card", "sandbox_card_ok"],
        ["increase", "--against", "https://x.example", "--card", "raining=1"],
        ["increase", "--last4", "12"], ["increase", "--network", "V"],
    ])
    func aWrongCommandLineIsExplained(arguments: [String]) async throws {
        try await with { folder in
            let result = try await run(arguments, in: folder)
            #expect(result.status == 64 && result.output.isEmpty)
            #expect(result.errors.hasPrefix("passgate-lab: "))
        }
    }
}
