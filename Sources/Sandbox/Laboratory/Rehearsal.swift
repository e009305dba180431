public import ProviderKit
import Provisioning
public import SecretMemory

/// Plays a platform's backend and the cardholder's devices against a gateway, step by step.
public struct Rehearsal: Sendable {
    /// Calls the gateway.
    public let gateway: GatewayClient
    /// The cardholder whose cards are added.
    public let cardholderID: String
    private let clock: any WallClock

    /// A rehearsal for one cardholder.
    public init(gateway: GatewayClient, cardholderID: String, clock: any WallClock = SandboxClock()) {
        self.gateway = gateway
        self.cardholderID = cardholderID
        self.clock = clock
    }

    /// Registers a card of an emulated processor under the platform's id.
    public func register(_ card: String, as emulated: EmulatedCard, at connection: String)
        async throws(TransportFailure) -> GatewayAnswer
    {
        var json = JSONWriter()
        json.object { json in
            json.member(
                "binding",
                object: { json in
                    json.member("connection", connection)
                    json.member("provider_card_id", emulated.id)
                    if let id = emulated.cardholderID { json.member("provider_cardholder_id", id) }
                    json.member("last4", emulated.last4)
                    json.member("network", emulated.network.description)
                })
            json.member(
                "cardholder",
                object: { json in
                    json.member("id", cardholderID)
                    json.member("name", "Ian Crease")
                })
            json.member("title", "Laboratory Card")
        }
        return try await gateway.send(.put, "/v1/cards/\(card)", json.finish())
    }

    /// Asks which wallets the card can be added to.
    public func wallets(of card: String) async throws(TransportFailure) -> GatewayAnswer {
        try await gateway.send(.get, "/v1/cards/\(card)/wallets")
    }

    /// Sends the handshake of an attempt, as the platform's backend does for its app.
    ///
    /// - Parameter sdk: The processor's SDK in the app. With one, the device's wallet is not asked for a handshake.
    public func provision(
        _ card: String, with attempt: any DeviceAttempt, of device: any SimulatedDevice,
        sdk: (any ProcessorSDK)? = nil, headers: [UpstreamRequest.Header] = []
    ) async throws(TransportFailure) -> GatewayAnswer {
        try await gateway.send(
            .post, "/v1/cards/\(card)/provisionings", order(attempt, of: device, sdk: sdk), headers: headers)
    }

    /// The body of a provisioning request.
    public func order(
        _ attempt: any DeviceAttempt, of device: any SimulatedDevice, sdk: (any ProcessorSDK)? = nil
    ) -> SecretBytes {
        var json = JSONWriter()
        json.object { json in
            json.member("wallet", device.wallet.rawValue)
            json.member("channel", device.channel.rawValue)
            json.member("origin", device.channel == .web ? "web" : "app")
            let accepts = sdk.map { [$0.handoff] } ?? device.accepts
            json.member("accept", array: { json in for type in accepts { json.value(type.rawValue) } })
            json.member(
                "cardholder",
                object: { json in
                    json.member("id", cardholderID)
                    json.member(
                        "authentication",
                        object: { json in
                            json.member("method", "passkey")
                            json.member("authenticated_at", clock.now.wholeSecondsText)
                        })
                })
            if let sdk { sdk.writeMembers(into: &json) } else { attempt.writeHandshake(into: &json) }
        }
        return json.finish()
    }
}
