import CheckoutEmulator
import Foundation
import ImprintEmulator
import IncreaseEmulator
import JSON
import ProviderKit
import RawSockets
import Sandbox
import SecretMemory
import StripeEmulator
import Testing
import ThalesEmulator

/// `passgate doctor` before every processor's emulator, and before hosts that are wrong on purpose.
@Suite(.serialized)
struct DoctorEndToEndTests {
    private struct Report: Decodable {
        struct Finding: Decodable {
            let subject: String
            let check: String
            let verdict: String
            let words: String
        }
        let well: Bool
        let problems: Int
        let warnings: Int
        let findings: [Finding]

        func verdict(_ subject: String, _ check: String) -> String? {
            findings.first { $0.subject == subject && $0.check == check }?.verdict
        }

        func words(_ subject: String, _ check: String) -> String {
            findings.first { $0.subject == subject && $0.check == check }?.words ?? ""
        }
    }

    private static let others: @Sendable (SimulatedNetwork) -> [any Emulator] = { network in
        [
            StripeEmulator(json: JSONParser(), network: network),
            CheckoutEmulator(json: JSONParser(), network: network),
            ThalesEmulator(json: JSONParser()),
        ]
    }

    /// Runs the command on the house's configuration, changed.
    private func examine(
        _ house: House, _ words: [String] = ["--json"], changing change: (String) -> String = { $0 }
    ) async throws -> (code: Int32?, output: String) {
        let folder = house.gateway.folder
        let yaml = try String(contentsOf: folder.appending(path: "passgate.yaml"), encoding: .utf8)
        let file = folder.appending(path: "doctor.yaml")
        try Data(change(yaml).utf8).write(to: file)
        let place = folder.appending(path: "doctor")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let process = try ChildProcess(
            command: House.command("passgate"), arguments: ["doctor", "--config", file.path] + words, in: place)
        return (await process.exit(within: .seconds(40)), process.output)
    }

    private func report(_ output: String) throws -> Report {
        let line = output.split(separator: "\n").first { $0.hasPrefix("{") } ?? ""
        return try JSONDecoder().decode(Report.self, from: Data(line.utf8))
    }

    @Test func everyProcessorTakesTheCredentials() async throws {
        try await House.with(Self.others) { house in
            let (code, output) = try await examine(house)
            let report = try report(output)
            #expect(code == 0 && report.well && report.problems == 0, "\(output)")
            for name in ["increase", "imprint", "stripe", "checkout", "thales-vault"] {
                let subject = "connections.\(name)_demo"
                #expect(report.verdict(subject, "credentials") == "ok", "\(name): \(output)")
                #expect(report.words(subject, "credentials").hasPrefix("taken: asked for "))
                #expect(report.verdict(subject, "clock") == "ok", "\(name): \(output)")
            }
            #expect(report.words("connections.checkout_demo", "signing_key") == "signs: ES256, P-256")
            #expect(report.words("connections.thales-vault_demo", "signing_key").hasPrefix("signs: RS256, RSA of "))
            #expect(
                report.words("connections.thales-vault_demo", "encryption_certificate").contains("left, key RSA of "))
            #expect(report.verdict("store", "schema") == "ok" && report.verdict("store", "writing") == "ok")
            #expect(report.words("server.listen", "port").hasPrefix("a gateway listens on "))
            #expect(report.words("admin.listen", "port").hasPrefix("a gateway listens on "))
            let secrets = [
                house.gateway.configuration.apiKey.reveal(), house.gateway.configuration.rootSecret.reveal(),
                IncreaseEmulator.apiKey, IncreaseEmulator.webhookSecret, StripeEmulator.secretKey,
            ]
            let table = try await examine(house, []).output
            for secret in secrets { #expect(!output.contains(secret) && !table.contains(secret)) }
            #expect(table.contains(/(?m)^ok +connections\.increase_demo +credentials: taken/))
            #expect(table.contains("0 problems, "))
        }
    }

    @Test func whoRefusesTheCredentialsIsNamed() async throws {
        try await House.with(Self.others) { house in
            let (code, output) = try await examine(house) { yaml in
                yaml.replacing(IncreaseEmulator.apiKey, with: "sandbox_nobodys_key")
                    .replacing(StripeEmulator.secretKey, with: "sk_test_nobodys")
            }
            let report = try report(output)
            #expect(code == 69 && !report.well && report.problems == 2, "\(output)")
            #expect(
                report.words("connections.increase_demo", "credentials").contains("refused: the processor answered 401")
            )
            #expect(
                report.words("connections.stripe_demo", "credentials").contains("refused: the processor answered 401"))
            #expect(report.verdict("connections.imprint_demo", "credentials") == "ok")
            #expect(!output.contains("nobodys"))
        }
    }

    @Test func whatKeepsAnAnswerFromComingIsNamed() async throws {
        // Who answers like Increase, by a clock of his own.
        let late = try ScriptedServer { peer in
            while peer.readRequest() != nil {
                peer.answer(
                    #"{"data":[]}"#,
                    headers: "Content-Type: application/json\r\nDate: Mon, 01 Jan 2024 00:00:00 GMT\r\n")
            }
        }
        defer { late.stop() }
        try await House.with { house in
            for (url, words) in [
                ("http://127.0.0.1:1/increase", "http://127.0.0.1:1 refuses connections"),
                ("https://127.0.0.1:\(house.server.port)/increase", "TLS fails"),
                ("https://\(String(repeating: "x", count: 60)).invalid/increase", "does not resolve"),
            ] {
                let (code, output) = try await examine(house) { yaml in
                    yaml.replacing("\(house.server.port)/increase", with: "PORT/increase")
                        .replacing("http://127.0.0.1:PORT/increase", with: url)
                }
                let report = try report(output)
                #expect(code == 69, "\(output)")
                #expect(report.words("connections.increase_demo", "credentials").contains(words), "\(output)")
            }
            let (code, output) = try await examine(house) { yaml in
                yaml.replacing("127.0.0.1:\(house.server.port)/increase", with: "127.0.0.1:\(late.port)")
            }
            let report = try report(output)
            #expect(code == 69, "\(output)")
            #expect(report.verdict("connections.increase_demo", "credentials") == "ok", "\(output)")
            #expect(report.verdict("connections.increase_demo", "clock") == "problem")
            #expect(report.words("connections.increase_demo", "clock").contains("ahead of the processor's"))
        }
    }

    @Test func aConfigurationThatCannotBeUsedIs78AndNobodyIsAsked() async throws {
        try await House.with { house in
            let before = house.sandbox.requests(to: "increase").count
            let (code, output) = try await examine(house) {
                $0.replacing("environment: test", with: "environment: moon")
            }
            #expect(code == 78 && output.contains("configuration_problem"))
            #expect(house.sandbox.requests(to: "increase").count == before)
        }
    }
}
