import CheckoutEmulator
import Crypto
import ImprintEmulator
import IncreaseEmulator
import JSON
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory
import StripeEmulator
import Testing

/// A webhook, signed now as each processor signs.
enum SignedWebhook {
    static func stripe(_ body: String, secret: String = StripeEmulator.webhookSecret) -> [UpstreamRequest.Header] {
        let time = SandboxClock().now.seconds
        return [.init("Stripe-Signature", "t=\(time),v1=\(hex(secret, "\(time).\(body)"))")]
    }

    static func checkout(_ body: String) -> [UpstreamRequest.Header] {
        [.init("Cko-Signature", hex(CheckoutEmulator.webhookSecret, body))]
    }

    static func imprint(_ body: String) -> [UpstreamRequest.Header] {
        let time = SandboxClock().now.milliseconds
        return [
            .init("X-IMPRINT-HMAC-SIGNATURE", "t=\(time),s=\(hex(ImprintEmulator.webhookSecret, "\(time).\(body)"))")
        ]
    }

    static func increase(_ body: String, id: String = "msg_1") -> [UpstreamRequest.Header] {
        let time = SandboxClock().now.seconds
        let code = mac(IncreaseEmulator.webhookSecret, "\(id).\(time).\(body)")
        return [
            .init("webhook-id", id), .init("webhook-timestamp", "\(time)"),
            .init("webhook-signature", "v1,\(Base64.encode(code))"),
        ]
    }

    private static func mac(_ secret: String, _ text: String) -> [UInt8] {
        HMACSHA256.code(key: SecretBytes(utf8: secret), of: [SecretBytes(utf8: text)])
    }

    private static func hex(_ secret: String, _ text: String) -> String {
        Hexadecimal.encode(SecretBytes(mac(secret, text))).revealText() ?? ""
    }
}

extension House {
    /// Sends a processor's webhook to the gateway, as the processor would: without a key of ours.
    func deliver(_ body: String, to connection: String, _ headers: [UpstreamRequest.Header]) async throws
        -> UpstreamResponse
    {
        try await transport.send(
            UpstreamRequest(
                .post, "\(gateway.configuration.url)/v1/inbound/\(connection)",
                headers: headers + [.init("Content-Type", "application/json")], body: SecretBytes(utf8: body),
                deadline: .now + .seconds(30)))
    }

    /// The id of a card's newest token at Increase.
    func increaseToken(of card: String) async throws -> String {
        let answer = await increase.handle(
            EmulatedRequest(
                method: "GET", path: "/digital_wallet_tokens", query: "card_id=\(card)",
                headers: [("authorization", "Bearer \(IncreaseEmulator.apiKey)")]))
        return try #require(try JSONParser().parse(answer.body).root["data"]?.elements?.first?["id"]?.string)
    }

    /// The elements of a list.
    func list(_ path: String) async throws -> [JSONView] {
        let answer = try await gateway.client.send(.get, path)
        guard answer.status == 200, let data = answer.json?["data"]?.elements else {
            throw UnexpectedAnswer(line: answer.problemLine)
        }
        return data
    }

    /// An answer that is no list.
    struct UnexpectedAnswer: Error {
        let line: String
    }
}
