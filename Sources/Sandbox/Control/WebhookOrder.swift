import ProviderKit
import SecretMemory

/// Has an emulator's webhook sent: what `POST /_lab/{emulator}/webhooks` does.
struct WebhookOrder {
    private static let patience: Duration = .seconds(10)

    let sandbox: Sandbox
    let emulator: any Emulator

    /// Sends the webhook that a body asks for, and tells what the receiver answered.
    func answer(_ body: SecretBytes) async -> EmulatedResponse {
        let order = try? sandbox.json.parse(body).root
        guard let event = order?["event"]?.string, let url = order?["to"]?.string else {
            return problem(
                400,
                "the body must be {\"event\": …, \"to\": the URL that the webhook goes to, \"card\"?: the card's id}")
        }
        guard emulator.webhookEvents.contains(event) else {
            let known = emulator.webhookEvents.joined(separator: ", ")
            return problem(400, "\(emulator.name) sends no \(event); it sends: \(known.isEmpty ? "nothing" : known)")
        }
        let card = order?["card"]?.string
        guard let webhook = emulator.webhook(event, of: card) else {
            return problem(
                409, "\(emulator.name) has no card \(card ?? "that it can tell of"), or makes no token of it")
        }
        guard let courier = sandbox.courier else { return problem(501, "this sandbox sends nothing") }
        do throws(TransportFailure) {
            let answer = try await courier.send(
                UpstreamRequest(
                    .post, url,
                    headers: webhook.headers.map { .init($0.name, $0.value) }
                        + [.init("Content-Type", "application/json")],
                    body: webhook.body, deadline: .now + Self.patience))
            return .json(200, report(event, url, answer.status))
        } catch {
            return problem(502, "no answer came from there: \(error.cause.rawValue)")
        }
    }

    private func report(_ event: String, _ url: String, _ status: Int) -> SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member("simulated", true)
            json.member("event", event)
            json.member("to", url)
            json.member("status", status)
        }
        return json.finish()
    }

    private func problem(_ status: Int, _ text: String) -> EmulatedResponse {
        var json = JSONWriter()
        json.object { $0.member("error", text) }
        return .json(status, json.finish())
    }
}
