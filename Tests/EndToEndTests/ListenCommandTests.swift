import Foundation
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing

/// `passgate-lab listen`, beside a real gateway.
@Suite(.serialized)
struct ListenCommandTests {
    private func tell(_ token: String, _ house: House) async throws {
        let now = SandboxClock().now.seconds
        let body = """
            {"id":"evt_\(token)","object":"event","type":"issuing_token.updated","created":\(now),"livemode":false,
            "data":{"object":{"id":"\(token)","object":"issuing.token","card":"ic_ok","created":\(now),
            "status":"active","wallet_provider":"google_pay","last4":"9341","livemode":false}}}
            """
        #expect(try await house.deliver(body, to: "stripe_demo", SignedWebhook.stripe(body)).status == 200)
    }

    private func listening(
        to house: House, _ options: [String] = [], _ body: (ChildProcess) async throws -> Void
    ) async throws {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try ChildProcess(
            command: House.command("passgate-lab"),
            arguments: [
                "listen", "--gateway", house.gateway.configuration.url, "--key",
                house.gateway.configuration.apiKey.reveal(),
            ] + options, in: folder)
        do { try await body(process) } catch {
            await process.stop()
            throw error
        }
        process.drain()
        #expect(await process.exit(within: .seconds(30)) == 0)
    }

    private func said(_ process: ChildProcess) -> String {
        (try? String(contentsOf: process.errorFile, encoding: .utf8)) ?? ""
    }

    private func withStripe(_ body: (House) async throws -> Void) async throws {
        try await House.with({ [StripeEmulator(json: JSONParser(), network: $0)] }) { house in
            let card = EmulatedCard(id: "ic_ok", last4: "4242", network: .visa)
            let answer = try await house.rehearsal.register("card_1", as: card, at: "stripe_demo")
            #expect(answer.status == 201, "\(answer.problemLine)")
            try await body(house)
        }
    }

    @Test func eventsAreShownAsTheyComeAndOlderOnesAreCounted() async throws {
        try await withStripe { house in
            try await tell("intok_old", house)
            try await house.wait { try await house.list("/v1/events").count == 1 }
            try await listening(to: house) { process in
                try await house.wait { said(process).contains("listening to") }
                #expect(said(process).contains("after 1 older events") && process.output.isEmpty)
                try await tell("intok_new", house)
                try await house.wait { process.output.contains("token.active") }
                #expect(process.output.contains("card_1 #2"))
            }
        }
    }

    @Test func x05AGatewayThatWentAwayIsWaitedForWithoutAGap() async throws {
        try await withStripe { house in
            try await listening(to: house, ["--all", "--json"]) { process in
                try await house.wait { said(process).contains("listening to") }
                try await tell("intok_1", house)
                try await house.wait { process.output.contains("\"sequence\":1") }
                house.gateway.process.signal(SIGSTOP)
                // Nothing answers: the command says so once a look has taken too long.
                try await house.wait { said(process).contains("not connected: deadline") }
                house.gateway.process.signal(SIGCONT)
                for number in 2...3 { try await tell("intok_\(number)", house) }
                try await house.wait { process.output.contains("\"sequence\":3") }
                let numbers = process.output.split(separator: "\n").map { line in
                    try? JSONParser().parse(SecretBytes(utf8: line)).root["sequence"]?.integer
                }
                #expect(numbers == [1, 2, 3])
                #expect(said(process).contains("connected again"))
            }
        }
    }

    @Test(arguments: [[], ["--json"]])
    func itEndsWhenNobodyReadsIt(_ options: [String]) async throws {
        try await withStripe { house in
            try await tell("intok_1", house)
            try await house.wait { try await house.list("/v1/events").count == 1 }
            let reader = Pipe()
            let process = Process()
            process.executableURL = try House.command("passgate-lab")
            process.arguments =
                [
                    "listen", "--all", "--gateway", house.gateway.configuration.url, "--key",
                    house.gateway.configuration.apiKey.reveal(),
                ] + options
            process.standardInput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.standardOutput = reader
            try reader.fileHandleForReading.close()
            try process.run()
            defer { if process.isRunning { process.terminate() } }
            try await house.wait { !process.isRunning }
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        }
    }

    @Test func aKeyThatMayNotReadIsToldSo() async throws {
        try await withStripe { house in
            let folder = try LaboratoryGateway.makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let process = try ChildProcess(
                command: House.command("passgate-lab"),
                arguments: ["listen", "--gateway", house.gateway.configuration.url, "--key", "pgk_nobody"], in: folder)
            #expect(await process.exit(within: .seconds(30)) == 1)
            #expect(said(process).contains("unauthenticated") && !said(process).contains("pgk_nobody"))
            #expect(!said(process).contains("listening"))
        }
    }
}
