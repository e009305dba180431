import Foundation
import JSON
import ProviderKit
import Provisioning
import RawSockets
import Sandbox
import SecretMemory
import StripeEmulator
import Testing

/// A house whose gateway is started again and again under other root secrets, on one store.
struct RotatedHouse {
    /// The root secret that the house was built with.
    var former: String { house.gateway.configuration.rootSecret.reveal() }
    /// The one that takes its place.
    let next = Base64.encode(Array(repeating: 0x42, count: 32))
    let house: House
    /// Where events are sent to.
    let receivers: [Receiver]
    let phone: SimulatedPhone

    /// Builds the house with a card at Increase, one at Stripe for webhooks, and takes it down after the test.
    static func with(_ test: (RotatedHouse) async throws -> Void) async throws {
        let receivers = try [Receiver(), Receiver()]
        defer { for receiver in receivers { receiver.server.stop() } }
        try await House.with(
            adjusting: {
                $0.additions += "event_destinations: { allow_private: true }\n"
                $0.additions += "limits: { provisionings_per_card_per_minute: 1000 }\n"
            },
            { [StripeEmulator(json: JSONParser(), network: $0)] }
        ) { house in
            try await house.register("card_1")
            let card = EmulatedCard(id: "ic_ok", last4: "4242", network: .visa)
            let answer = try await house.rehearsal.register("card_2", as: card, at: "stripe_demo")
            #expect(answer.status == 201, "\(answer.problemLine)")
            try await test(
                RotatedHouse(house: house, receivers: receivers, phone: SimulatedPhone(network: house.network)))
        }
    }

    /// Runs the test with the gateway under these root secrets, after whatever ran before has ended.
    func under(_ secrets: [String], _ test: () async throws -> Void) async throws {
        _ = await house.gateway.stop()
        try write(secrets, to: house.gateway.folder)
        try await house.restarted { _ in try await test() }
    }

    /// Puts root secrets into the configuration of that folder.
    func write(_ secrets: [String], to folder: URL) throws {
        let file = folder.appending(path: "passgate.yaml")
        let list = secrets.map { "\"\($0)\"" }.joined(separator: ", ")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            line.hasPrefix("root_secrets:") ? "root_secrets: [\(list)]" : String(line)
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }

    /// A new handshake for the card at Increase, as a request.
    func order(plan: String? = nil) throws -> SecretBytes {
        let order = house.rehearsal.order(try phone.begin(), of: phone)
        guard let plan, let text = order.revealText() else { return order }
        return SecretBytes(utf8: "{\"plan\":\"\(plan)\"," + text.dropFirst())
    }

    /// Asks for a provisioning, at the house's gateway unless told.
    func provision(_ order: SecretBytes, key: String, at client: GatewayClient? = nil) async throws -> GatewayAnswer {
        try await (client ?? house.gateway.client).send(
            .post, "/v1/cards/card_1/provisionings", order, headers: [.init("Idempotency-Key", key)])
    }

    /// A plan for Apple Pay, as the gateway seals it now.
    func plan() async throws -> String {
        let answer = try await house.rehearsal.wallets(of: "card_1")
        let row = answer.json?["data"]?.elements?.first { $0["wallet"]?.equals("apple_pay") == true }
        return try #require(row?["plan"]?.string, "\(answer.problemLine)")
    }

    /// Has an event written, by a webhook of Stripe's, and gives its id.
    func tell(_ token: String) async throws -> String {
        let before = try await Set(tokenEvents())
        let now = SandboxClock().now.seconds
        let body = """
            {"id":"evt_\(token)","object":"event","type":"issuing_token.updated","created":\(now),"livemode":false,
            "data":{"object":{"id":"\(token)","object":"issuing.token","card":"ic_ok","created":\(now),
            "status":"active","wallet_provider":"google_pay","last4":"9341","livemode":false}}}
            """
        #expect(try await house.deliver(body, to: "stripe_demo", SignedWebhook.stripe(body)).status == 200)
        var written: String?
        try await house.wait {
            written = try await tokenEvents().first { !before.contains($0) }
            return written != nil
        }
        return try #require(written)
    }

    private func tokenEvents() async throws -> [String] {
        try await house.list("/v1/events?type=token.*").compactMap { $0["id"]?.string }
    }

    /// Runs a command of the gateway on the house's configuration.
    func run(_ arguments: String...) async throws -> (code: Int32?, output: String) {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = house.gateway.folder.appending(path: "passgate.yaml").path
        let process = try ChildProcess(
            command: House.command("passgate"), arguments: arguments + ["--config", file], in: folder)
        let code = await process.exit(within: .seconds(20))
        return (code, String(decoding: process.written, as: UTF8.self))
    }
}
