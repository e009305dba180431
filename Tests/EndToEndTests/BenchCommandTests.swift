import Foundation
import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

@testable import passgate_lab

/// `passgate-lab bench`, and what it reads and reports.
@Suite(.serialized)
struct BenchCommandTests {
    private func run(_ arguments: [String]) async throws -> (status: Int32?, output: String, errors: String) {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try ChildProcess(command: House.command("passgate-lab"), arguments: arguments, in: folder)
        let status = await process.exit(within: .seconds(60))
        await process.stop()
        return (status, process.output, try String(contentsOf: process.errorFile, encoding: .utf8))
    }

    private func parse(_ text: String) throws -> JSONView { try JSONParser().parse(SecretBytes(utf8: text)).root }

    @Test(arguments: [
        ["--seconds", "0"], ["--seconds", "soon"], ["--seconds"], ["--loud"],
        ["--gateway", "http://127.0.0.1:1"], ["--key", "k"], ["--connection", "increase_main"],
        ["--gateway", "127.0.0.1", "--key", "k"],
        ["--gateway", "http://127.0.0.1:1", "--key", "k", "--sandbox", "127.0.0.1"],
    ])
    func aWrongCommandLineIsRefused(arguments: [String]) {
        #expect(throws: UsageProblem.self) { try LabArguments.parse(["bench"] + arguments) }
    }

    @Test func aCommandLineIsReadWhole() throws {
        #expect(try LabArguments.parse(["bench"]) == .bench(BenchOptions()))
        let running = BenchOptions.RunningGateway(
            url: "http://127.0.0.1:8080", key: "k", program: "rides", sandbox: "http://127.0.0.1:9000",
            connection: "increase_main")
        let arguments = [
            "bench", "--seconds", "3", "--json", "--gateway", "http://127.0.0.1:8080", "--key", "k", "--program",
            "rides", "--sandbox", "http://127.0.0.1:9000", "--connection", "increase_main",
        ]
        #expect(try LabArguments.parse(arguments) == .bench(BenchOptions(seconds: 3, running: running, json: true)))
    }

    @Test func whatIsAddedIsReckonedPairByPair() throws {
        var report = BenchReport()
        for number in 1...100 {
            report.add(direct: .milliseconds(number), throughGateway: .milliseconds(number + (number > 98 ? 5 : 2)))
        }
        #expect(BenchReport.milliseconds(50, of: report.direct) == 50)
        #expect(BenchReport.milliseconds(99, of: report.direct) == 99)
        #expect(BenchReport.milliseconds(50, of: report.added) == 2)
        #expect(BenchReport.milliseconds(99, of: report.added) == 5)
        #expect(abs(report.rate - 100 / 5.256) < 0.001)
        #expect(report.table.last == "added by the gateway    2.00    2.00    5.00")
        let json = try parse(try #require(report.json.revealText()))
        #expect(json["added_ms"]?["p99"]?.double == 5 && json["ok"]?.bool == true && json["failure"]?.string == nil)
    }

    @Test func nothingMeasuredIsNoResult() throws {
        var report = BenchReport()
        #expect(!report.isGood && report.rate == 0 && BenchReport.milliseconds(50, of: []) == nil)
        report.add(direct: .milliseconds(2), throughGateway: .milliseconds(1))
        #expect(report.isGood && report.table.last?.hasSuffix("-1.00") == true)
        report.failure = "the gateway gave no answer: unreachable"
        let json = try parse(try #require(report.json.revealText()))
        #expect(!report.isGood && json["ok"]?.bool == false && json["failure"]?.string == report.failure)
    }

    @Test func itMeasuresAGatewayOfItsOwn() async throws {
        let result = try await run(["bench", "--seconds", "1", "--json"])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let json = try parse(result.output)
        #expect(json["object"]?.string == "bench" && json["ok"]?.bool == true && json["simulated"]?.bool == true)
        #expect(json["provisionings"]?.integer ?? 0 > 0 && json["rate"]?.double ?? 0 > 0)
        let direct = try #require(json["direct_ms"]?["p50"]?.double)
        #expect(direct > 0 && json["gateway_ms"]?["p50"]?.double ?? 0 > direct)
    }

    @Test func itMeasuresARunningGatewayAndLeavesNoCards() async throws {
        try await House.with { house in
            let gateway = ["--gateway", house.gateway.configuration.url, "--sandbox", house.server.url]
            let key = ["--key", house.gateway.configuration.apiKey.reveal(), "--connection", "increase_demo"]
            let result = try await run(["bench", "--seconds", "1"] + gateway + key)
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            #expect(result.output.contains("added by the gateway") && result.output.contains(" a second through"))
            let cards = try await house.gateway.client.send(.get, "/v1/cards")
            #expect(cards.json?["data"]?.elements?.isEmpty == true)
            let stranger = try await run(["bench", "--seconds", "1", "--key", "pgk_none"] + gateway)
            #expect(stranger.status == 1 && stranger.output.contains("unauthenticated"), "\(stranger.output)")
        }
        let nobody = try await run(["bench", "--gateway", "http://127.0.0.1:1", "--key", "pgk_none"])
        #expect(nobody.status == 69 && !nobody.output.contains("pgk_none"), "\(nobody.output)\(nobody.errors)")
    }
}
