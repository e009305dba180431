import CheckoutEmulator
import Foundation
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing

/// `passgate-lab trigger`: a sandbox sends processors' webhooks to a real gateway.
@Suite(.serialized)
struct TriggerCommandTests {
    private func run(_ arguments: [String]) async throws -> (status: Int32?, output: String, errors: String) {
        let folder = try LaboratoryGateway.makeFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = try ChildProcess(
            command: House.command("passgate-lab"), arguments: ["trigger"] + arguments, in: folder)
        let status = await process.exit(within: .seconds(30))
        await process.stop()
        return (status, process.output, try String(contentsOf: process.errorFile, encoding: .utf8))
    }

    private func trigger(_ event: String, _ house: House, to connection: String, _ more: [String] = []) async throws
        -> Int32?
    {
        let result = try await run(
            [
                event, "--sandbox", house.server.url, "--to",
                "\(house.gateway.configuration.url)/v1/inbound/\(connection)",
            ] + more)
        #expect(result.output.hasSuffix(": 200\n"), "\(result)")
        return result.status
    }

    /// Adds the card to a wallet: by the processor's SDK on Android where it has one, else on a phone.
    private func add(_ card: String, with emulator: any Emulator, _ house: House) async throws {
        guard let sdk = emulator.sdk else {
            let phone = try SimulatedPhone(network: house.network)
            let answer = try await house.rehearsal.provision(card, with: try phone.begin(), of: phone)
            #expect(answer.status == 201, "\(answer.problemLine)")
            return
        }
        let phone = SimulatedAndroidPhone(network: house.network)
        let answer = try await house.rehearsal.provision(card, with: phone.begin(), of: phone, sdk: sdk)
        _ = try await sdk.redeem(try #require(answer.json?["handoff"], "\(answer.problemLine)"), for: .googlePay)
    }

    @Test func everyProcessorsWebhookIsBelievedAndTellsOfItsToken() async throws {
        let others: (SimulatedNetwork) -> [any Emulator] = { network in
            [
                StripeEmulator(json: JSONParser(), network: network),
                CheckoutEmulator(json: JSONParser(), network: network),
            ]
        }
        try await House.with(others) { house in
            let rows = [
                ("increase", "digital_wallet_token.created"), ("stripe", "issuing_token.updated"),
                ("checkout", "digital_card_provisioned"), ("imprint", "payment_method"),
            ]
            for (name, event) in rows {
                let emulator = try #require(house.sandbox.emulator(named: name))
                let card = "card_\(name)"
                let made = try await house.rehearsal.register(card, as: emulator.demoCard, at: "\(name)_demo")
                #expect(made.status == 201, "\(made.problemLine)")
                let lost = try await run([
                    event, "--sandbox", house.server.url, "--to", "http://127.0.0.1:1/", "--card", "nobodys",
                ])
                #expect(lost.status == 1 && lost.errors.contains("no card nobodys"))
                try await add(card, with: emulator, house)
                #expect(try await trigger(event, house, to: "\(name)_demo") == 0)
                try await house.wait {
                    try await house.list("/v1/events?card=\(card)&type=token.*").count >= 1
                }
            }
        }
    }

    /// Nobody added a card to a wallet: the sandbox does it, also for processors whose SDK is needed for that.
    @Test func everyEventOfEveryProcessorCanBeTriggeredFromNothing() async throws {
        let others: (SimulatedNetwork) -> [any Emulator] = { network in
            [
                StripeEmulator(json: JSONParser(), network: network),
                CheckoutEmulator(json: JSONParser(), network: network),
            ]
        }
        try await House.with(others) { house in
            for name in ["increase", "stripe", "checkout", "imprint"] {
                let emulator = try #require(house.sandbox.emulator(named: name))
                let card = "card_\(name)"
                let made = try await house.rehearsal.register(card, as: emulator.demoCard, at: "\(name)_demo")
                #expect(made.status == 201, "\(made.problemLine)")
                #expect(!emulator.webhookEvents.isEmpty)
                for (index, event) in emulator.webhookEvents.enumerated() {
                    let named = index == 0 ? [] : ["--card", emulator.demoCard.id]
                    #expect(try await trigger(event, house, to: "\(name)_demo", named) == 0, "\(event)")
                }
                try await house.wait { try await !house.list("/v1/events?card=\(card)&type=token.*").isEmpty }
            }
            // Checkout.com's came in the order of its list, the last says that the digital card is gone.
            try await house.wait {
                try await house.list("/v1/events?card=card_checkout").last?["type"]?.string == "token.deleted"
            }
            let read = try await house.list("/v1/cards/card_checkout/tokens").map { $0["status"]?.string }
            #expect(read == ["deleted"])
        }
    }

    @Test func whatNoProcessorSendsIsToldWithWhatTheySend() async throws {
        try await House.with { house in
            let result = try await run(["payment.settled", "--sandbox", house.server.url])
            #expect(result.status == 64 && result.errors.contains("digital_wallet_token.created"))
            #expect(result.output.isEmpty)
        }
    }

    @Test func withoutASandboxItSaysSo() async throws {
        let result = try await run(["payment_method", "--sandbox", "http://127.0.0.1:1"])
        #expect(result.status == 69 && result.errors.contains("gave no answer"))
        for arguments in [[], ["--loud"], ["payment_method", "--to", "nowhere"], ["one", "two"]] {
            #expect(try await run(arguments).status == 64)
        }
    }
}
