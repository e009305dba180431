import Foundation
import Testing

@testable import passgate

@Suite("check says whether a configuration can be used")
struct CheckTests {
    @Test func endsWith0WhereItCan() async throws {
        let (code, output) = try await Gate.run(["check"], configuration: Example.yaml)
        #expect(code == 0)
        #expect(output == "passgate.yaml can be used")
    }

    @Test func endsWith0WhereItOnlyWarns() async throws {
        let yaml = Example.yaml("webhook_secrets: [\"whsec_1\"]", "webhook_secrets: []")
        let (code, output) = try await Gate.run(["check"], configuration: yaml)
        #expect(code == 0)
        #expect(output.contains("passgate.yaml:7: warning: connections.main.webhook_secrets: "))
        #expect(output.hasSuffix("passgate.yaml can be used, 1 warning"))
    }

    @Test(arguments: ["\"\"", "\"  \"", "\"\\t\\n\"", "\"whsec_1\", \"\"", "~"])
    func w09AnEmptyWebhookSecretStopsTheStart(_ secrets: String) async throws {
        for command in ["check", "serve"] {
            let yaml = Example.yaml("webhook_secrets: [\"whsec_1\"]", "webhook_secrets: [\(secrets)]")
            let (code, output) = try await Gate.run([command], configuration: yaml)
            #expect(code == 78)
            #expect(output.contains("connections.main.webhook_secrets["), "\(output)")
        }
    }

    @Test func endsWith78AndEveryProblemWhereItCannot() async throws {
        let yaml = Example.yaml("\"key_of_main\"", "\"${PASSGATE_UNSET}\"").replacing("sqlite:", with: "mysql:")
        let (code, output) = try await Gate.run(["check"], configuration: yaml)
        #expect(code == 78)
        #expect(output.contains("passgate.yaml:4: store: "))
        #expect(output.contains("passgate.yaml:7: connections.main.api_key: "))
        #expect(output.hasSuffix("passgate.yaml cannot be used: 2 problems"))
    }

    @Test func takesSecretsFromItsEnvironment() async throws {
        let yaml = Example.yaml("\"key_of_main\"", "\"${PASSGATE_KEY}\"")
        let (code, _) = try await Gate.run(["check"], configuration: yaml, environment: ["PASSGATE_KEY": "x"])
        #expect(code == 0)
    }

    @Test func writesJSONForMachines() async throws {
        let yaml = Example.yaml("sqlite:", "mysql:")
        let (code, output) = try await Gate.run(["check", "--json"], configuration: yaml)
        #expect(code == 78)
        let report = try JSONDecoder().decode(Report.self, from: Data(output.utf8))
        #expect(!report.valid)
        #expect(report.problems.map(\.key_path) == ["store"])
        #expect(report.problems.map(\.severity) == ["problem"])
        #expect(report.problems.map(\.line) == [4])
    }

    @Test func warnsWhereThereIsNoKey() async throws {
        let yaml = Example.yaml.split(separator: "\n").filter { !$0.contains("backend") && !$0.contains("api_keys") }
        let (code, output) = try await Gate.run(["check"], configuration: yaml.joined(separator: "\n"))
        #expect(code == 0)
        #expect(output.contains("warning: api_keys: "))
    }

    @Test func saysThatThereIsNoFile() async throws {
        let (code, output) = try await Gate.run(["check", "--config", "gone.yaml"], configuration: "")
        #expect(code == 78)
        #expect(output.contains("the configuration gone.yaml does not exist"))
    }

    @Test(arguments: ["127.0.0.1", "0.0.0.0"])
    func asksTheGatewayThatRunsHereWhetherItIsReady(host: String) async throws {
        let gate = try Gate(["serve"], configuration: Example.yaml("workers: 1", "workers: 1, drain_delay_ms: 60000"))
        let line = try #require(await gate.line(with: "\"event\":\"listening\""), "\(gate.output)")
        let port = try #require(line.firstMatch(of: /"url":"http:\/\/127.0.0.1:(\d+)"/)?.1)
        // Nothing but the address counts: the key that is missing here is none of its business.
        let yaml = Example.yaml("127.0.0.1:0\", workers: 1", "\(host):\(port)\"")
            .replacing("key_of_main", with: "${NONE}")
        let (code, output) = try await Gate.run(["check", "--ready"], configuration: yaml)
        #expect(code == 0)
        #expect(output == "the gateway is ready")
        gate.signal(SIGTERM)
        #expect(await gate.line(with: "\"event\":\"draining\"") != nil)
        let later = try await Gate.run(["check", "--ready", "--json"], configuration: yaml)
        #expect(later.code == 69)
        #expect(later.output == "{\"ready\":false,\"url\":\"http://127.0.0.1:\(port)/readyz\"}")
        gate.signal(SIGTERM)
        #expect(await gate.end() == ExitCode.interrupted.rawValue)
    }

    @Test func cannotAskWhereNoPortIsSaid() async throws {
        let (code, output) = try await Gate.run(["check", "--ready"], configuration: Example.yaml)
        #expect(code == 78)
        #expect(output.contains("does not say on which port"))
    }

    private struct Report: Decodable {
        struct Problem: Decodable {
            let severity: String
            let key_path: String
            let message: String
            let line: Int
        }
        let valid: Bool
        let problems: [Problem]
    }
}
