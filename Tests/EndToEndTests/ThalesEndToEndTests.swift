import Crypto
import EventLoop
import Foundation
import HTTPClient
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import Testing
import ThalesEmulator

/// A vault, the real gateway and the emulated Thales: card numbers pass through, and stay nowhere.
@Suite(.serialized)
struct ThalesEndToEndTests {
    private static let connection = "thales-vault_demo"

    /// A gateway beside the emulator, for one test.
    private struct Bench {
        let emulator: ThalesEmulator
        let server: SandboxServer
        let gateway: LaboratoryGateway
        let rehearsal: Rehearsal

        func register(_ card: String, as id: String) async throws {
            let answer = try await rehearsal.register(card, as: ThalesEmulator.card(id), at: connection)
            #expect(answer.status == 201, "\(answer.problemLine)")
        }

        func provision(_ card: String, on device: any SimulatedDevice) async throws -> GatewayAnswer {
            try await rehearsal.provision(card, with: device.begin(), of: device, sdk: emulator.sdk)
        }

        /// A provisioning with a payload that the platform encrypted itself.
        func provision(_ card: String, given payload: String) async throws -> GatewayAnswer {
            var json = JSONWriter()
            json.object { json in
                json.member("wallet", "apple_pay")
                json.member(
                    "cardholder",
                    object: { json in
                        json.member("id", rehearsal.cardholderID)
                        json.member(
                            "authentication",
                            object: { json in
                                json.member("method", "passkey")
                                json.member("authenticated_at", SandboxClock().now.wholeSecondsText)
                            })
                    })
                json.member("thales", object: { json in json.member("encrypted_payload", payload) })
            }
            return try await gateway.client.send(.post, "/v1/cards/\(card)/provisionings", json.finish())
        }

        func verdict(_ answer: GatewayAnswer, for wallet: Wallet) async throws -> DeviceVerdict {
            let handoff = try #require(answer.json?["handoff"], "\(answer.problemLine)")
            return try await #require(emulator.sdk).redeem(handoff, for: wallet)
        }
    }

    private func with(_ body: (Bench) async throws -> Void) async throws {
        let group = EventLoopGroup(count: 1)
        let client = HTTPClient(loops: group.loops)
        var options = TransportOptions()
        options.allowPlainHTTPToLoopback = true
        let emulator = ThalesEmulator(json: JSONParser())
        let server = try SandboxServer(Sandbox(emulators: [emulator], json: JSONParser()), on: group.loops)
        let gateway = try await LaboratoryGateway.start(
            command: House.command("passgate"), connections: server.connections, on: group.loops,
            transport: client.transport(options), json: JSONParser())
        let bench = Bench(
            emulator: emulator, server: server, gateway: gateway,
            rehearsal: Rehearsal(gateway: gateway.client, cardholderID: "user_1"))
        var failure: (any Error)?
        do { try await body(bench) } catch { failure = error }
        _ = await gateway.stop()
        gateway.removeFolder()
        await server.stop()
        client.close()
        if let failure { throw failure }
    }

    private var devices: [any SimulatedDevice] {
        get throws {
            let network = SimulatedNetwork()
            return [try SimulatedPhone(network: network), SimulatedAndroidPhone(network: network)]
        }
    }

    @Test func thalesOpensTheCardOfEveryWallet() async throws {
        try await with { bench in
            try await bench.register("card_1", as: "sim_card_ok")
            for device in try devices {
                let answer = try await bench.provision("card_1", on: device)
                #expect(answer.status == 201 && answer.json?["provider"]?.string == "thales")
                #expect(answer.json?["expires_at"]?.string == answer.json?["handoff"]?["expires_at"]?.string)
                let verdict = try await bench.verdict(answer, for: device.wallet)
                #expect(verdict.token.cardLast4 == ThalesEmulator.card("sim_card_ok").last4)
                let id = try #require(answer.json?["id"]?.string)
                let record = try await bench.gateway.client.send(.get, "/v1/provisionings/\(id)")
                #expect(record.json?["handoff"]?.isNull == true && record.json?["status"]?.string == "handed_off")
            }
            #expect(bench.server.sandbox.requestCount(of: "thales-vault") == 2)
        }
    }

    @Test func aVaultThatFailsIsReadOnceMore() async throws {
        try await with { bench in
            try await bench.register("card_1", as: "sim_card_ok")
            var fault = ScriptedFault()
            fault.status = 503
            bench.server.sandbox.script(fault, for: "thales-vault")
            let answer = try await bench.provision("card_1", on: try devices[0])
            #expect(answer.status == 201, "\(answer.problemLine)")
            #expect(bench.server.sandbox.requestCount(of: "thales-vault") == 2)
        }
    }

    @Test func aCardThatThePlatformEncryptedIsPassedOn() async throws {
        try await with { bench in
            try await bench.register("card_1", as: "sim_card_ok")
            let files = bench.emulator.connection(at: "").files
            let certificate = try #require(files.first { $0.name == "thales-certificate.pem" }?.contents)
            let number = ThalesEmulator.cardNumber(of: "sim_card_ok").reveal()
            let envelope = try OpenSSLCryptography().enveloper(
                certificate: SecretText(certificate), keyTransport: .oaepSHA256
            ).envelope(
                SecretBytes(
                    utf8: """
                        {"issuerCardRefId":"sim_card_ok","fpan":"\(number)","exp":"1131","cardHolderName":"Ian Crease"}
                        """))
            let answer = try await bench.provision("card_1", given: Base64.encode(envelope).revealText() ?? "")
            #expect(try await bench.verdict(answer, for: .applePay).token.cardLast4 == number.suffix(4))
            #expect(bench.server.sandbox.requestCount(of: "thales-vault") == 0)
            let refused = try await bench.provision("card_1", given: "0x30")
            #expect(refused.status == 400 && refused.code == "invalid_request")
            #expect(
                refused.json?["errors"]?.elements?.first?["pointer"]?.string == "/thales/encrypted_payload")
        }
    }

    @Test func aDomesticSchemeNeedsItsProduct() async throws {
        try await with { bench in
            for (product, status) in [("", 400), (#","product_id":"product-7""#, 201)] {
                let body = """
                    {"binding":{"connection":"\(Self.connection)","provider_card_id":"sim_card_ok7","last4":"0009",\
                    "network":"girocard"\(product)},"cardholder":{"id":"user_1","name":"Ian Crease"}}
                    """
                let answer = try await bench.gateway.client.send(.put, "/v1/cards/card_7", SecretBytes(utf8: body))
                #expect(answer.status == status, "\(answer.problemLine)")
                guard status == 400 else { continue }
                #expect(answer.json?["errors"]?.elements?.first?["pointer"]?.string == "/binding/product_id")
            }
        }
    }

    @Test func aTokenIsActivatedWithACodeOfItsOwn() async throws {
        try await with { bench in
            try await bench.register("card_1", as: "sim_card_ok")
            func credential(_ body: String) async throws -> GatewayAnswer {
                try await bench.gateway.client.send(
                    .post, "/v1/cards/card_1/wallet_credentials", SecretBytes(utf8: body))
            }
            let answer = try await credential(#"{"purpose":"activate","token":"token-7","wallet":"google_pay"}"#)
            #expect(answer.status == 201 && answer.json?["purpose"]?.string == "activate", "\(answer.problemLine)")
            let parts = answer.json?["token"]?.string?.split(separator: ".") ?? []
            let claims = try #require(
                Base64.decode(SecretBytes(utf8: parts.dropFirst().first ?? ""), alphabet: .urlSafe))
            let view = try JSONParser().parse(claims).root
            #expect(view["sub"]?.string == "token-7" && view["aud"]?.string == "GOOGLE_PAY")
            for (body, status, code, pointer) in [
                (#"{"purpose":"activate","wallet":"google_pay"}"#, 400, "invalid_request", "/token"),
                (#"{"purpose":"activate","token":"token-7"}"#, 400, "invalid_request", "/wallet"),
                (#"{"purpose":"session"}"#, 400, "operation_unsupported", nil),
            ] as [(String, Int, String, String?)] {
                let refused = try await credential(body)
                #expect(refused.status == status && refused.code == code, "\(refused.problemLine)")
                #expect(refused.json?["errors"]?.elements?.first?["pointer"]?.string == pointer)
            }
            #expect(bench.server.sandbox.requestCount(of: "thales-vault") == 0)
        }
    }

    /// What goes wrong with a card number is told without it, and the gateway leaves none behind.
    @Test func noCardNumberIsLeftBehind() async throws {
        let ids = [
            "sim_card_ok", "sim_card_badcheck", "sim_card_short", "sim_card_spaced", "sim_card_numeric",
            "sim_card_badmonth", "sim_card_noname", "sim_card_truncated",
        ]
        try await with { bench in
            var answers: [(name: String, contents: Data)] = []
            for id in ids {
                try await bench.register(id, as: id)
                let answer = try await bench.provision(id, on: try devices[0])
                if id == "sim_card_truncated" {
                    #expect(answer.status == 504 && answer.code == "provider_timeout")
                } else if id != "sim_card_ok" {
                    #expect(answer.status == 502 && answer.code == "provider_contract_violation")
                }
                answers.append((id, Data(answer.body.reveal())))
            }
            #expect(await bench.gateway.stop() == 0)
            let files = try FileManager.default.contentsOfDirectory(
                at: bench.gateway.folder, includingPropertiesForKeys: nil)
            let places = try files.map { ($0.lastPathComponent, try Data(contentsOf: $0)) }
            let search = SecretSearch(places + answers)
            for id in ids {
                let number = ThalesEmulator.cardNumber(of: id).bytes
                #expect(search.findings(of: number) == [])
                // The first eleven digits tell of every spoiled form too, whether it was altered at its end or cut.
                #expect(search.findings(of: SecretBytes(number.reveal().prefix(11))) == [])
            }
            #expect(!search.findings(of: SecretBytes(utf8: "sim_card_badcheck")).isEmpty, "it finds what is there")
        }
    }

    @Test func checkWarnsOfTheVaultAndEndsWell() async throws {
        try await with { bench in
            let file = bench.gateway.folder.appending(path: "passgate.yaml")
            let folder = try LaboratoryGateway.makeFolder()
            defer { try? FileManager.default.removeItem(at: folder) }
            let process = try ChildProcess(
                command: House.command("passgate"), arguments: ["check", "--config", file.path], in: folder)
            #expect(await process.exit(within: .seconds(20)) == 0)
            let output = process.output + (try String(contentsOf: process.errorFile, encoding: .utf8))
            #expect(
                output.contains("warning: connections.\(Self.connection).card_source: puts the gateway in PAN scope"))
        }
    }
}
