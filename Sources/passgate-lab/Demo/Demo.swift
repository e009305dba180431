import Foundation
import ProviderKit
import Provisioning
import Sandbox

/// Shows the main job from end to end: device, gateway, processor, network, and back to the device.
struct Demo {
    let laboratory: Laboratory
    let command: URL
    /// Takes what happens, line by line.
    let say: (String) -> Void
    private(set) var report = DemoReport()

    init(laboratory: Laboratory, command: URL, say: @escaping (String) -> Void) {
        self.laboratory = laboratory
        self.command = command
        self.say = say
    }

    /// Runs from start to end, and clears up whatever happens.
    mutating func run() async {
        do {
            let server = try SandboxServer(laboratory.makeSandbox(), on: laboratory.loops)
            let processors = server.sandbox.emulators.map(\.displayName).joined(separator: ", ")
            say("  sandbox   \(server.url) plays \(processors)")
            await run(beside: server)
            await server.stop()
        } catch {
            report.failure = "\(error)"
        }
    }

    private mutating func run(beside server: SandboxServer) async {
        do {
            let start = ContinuousClock.now
            let gateway = try await LaboratoryGateway.start(
                command: command, connections: server.connections, on: laboratory.loops,
                transport: laboratory.transport, json: laboratory.json)
            let time = (ContinuousClock.now - start) / .milliseconds(1)
            say("  gateway   \(gateway.configuration.url), ready after \(Int(time)) ms")
            do {
                for emulator in server.sandbox.emulators { try await show(emulator, through: gateway) }
            } catch {
                report.failure = "\(error)"
            }
            report.gatewayExit = await gateway.stop()
            gateway.removeFolder()
        } catch {
            report.failure = "\(error)"
        }
    }

    private mutating func show(_ emulator: any Emulator, through gateway: LaboratoryGateway) async throws {
        let rehearsal = Rehearsal(gateway: gateway.client, cardholderID: "user_1")
        let card = "card_\(emulator.name)"
        let registered = try await rehearsal.register(
            card, as: emulator.demoCard, at: LaboratoryConfiguration.connectionName(of: emulator))
        guard registered.status == 201 else {
            throw LaboratoryFailure("the card was not registered: \(registered.problemLine)")
        }
        say("  card      \(card) stands for \(emulator.demoCard.id) at \(emulator.displayName)")
        let offers = try offers(try await rehearsal.wallets(of: card))
        say("  wallets   " + offers.map { "\($0.wallet) \($0.channel)" }.joined(separator: ", "))
        for offer in offers {
            guard let device = try laboratory.device(wallet: offer.wallet, channel: offer.channel) else { continue }
            let attempt = try device.begin()
            let answer = try await rehearsal.provision(card, with: attempt, of: device, sdk: emulator.sdk)
            report.rows.append(await row(for: answer, attempt, device.wallet, offer, emulator))
            if answer.json?["handoff"]?["type"]?.equals(HandoffType.applePayPass.rawValue) == true {
                let again = try await rehearsal.provision(card, with: attempt, of: device)
                report.rows.append(refusal(again, offer, emulator))
            }
        }
    }

    private struct Offer {
        let wallet: String
        let channel: String
    }

    /// The wallets and channels that the facade offers for the card.
    private func offers(_ answer: GatewayAnswer) throws -> [Offer] {
        guard answer.status == 200, let data = answer.json?["data"]?.elements else {
            throw LaboratoryFailure("the card's wallets could not be read: \(answer.problemLine)")
        }
        return data.filter { $0["eligible"]?.bool == true }.flatMap { wallet in
            (wallet["channels"]?.elements ?? []).compactMap { channel in
                guard let wallet = wallet["wallet"]?.string, let channel = channel.string else { return nil }
                return Offer(wallet: wallet, channel: channel)
            }
        }
    }

    private func row(
        for answer: GatewayAnswer, _ attempt: any DeviceAttempt, _ wallet: Wallet, _ offer: Offer,
        _ emulator: any Emulator
    ) async -> DemoRow {
        var device = answer.problemLine
        var isAsExpected = false
        if answer.status == 201, let handoff = answer.json?["handoff"] {
            do throws(DeviceFailure) {
                let verdict =
                    if let sdk = emulator.sdk { try await sdk.redeem(handoff, for: wallet) } else {
                        try attempt.finish(handoff)
                    }
                device = "device \(verdict.deed): token ••\(verdict.token.last4)"
                isAsExpected = true
            } catch {
                device = error.description
            }
        }
        return DemoRow(
            wallet: offer.wallet, channel: offer.channel, processor: emulator.displayName,
            status: answer.json?["status"]?.string ?? "\(answer.status) \(answer.code ?? "")",
            milliseconds: answer.milliseconds, device: device, isAsExpected: isAsExpected)
    }

    private func refusal(_ answer: GatewayAnswer, _ offer: Offer, _ emulator: any Emulator) -> DemoRow {
        let isRefused = answer.status == 409 && answer.code == "handshake_reused"
        return DemoRow(
            wallet: offer.wallet, channel: offer.channel, processor: emulator.displayName,
            status: "\(answer.status) \(answer.code ?? "")", milliseconds: answer.milliseconds,
            device: isRefused ? "same nonce again: refused, as it should be" : answer.problemLine,
            isAsExpected: isRefused)
    }
}
