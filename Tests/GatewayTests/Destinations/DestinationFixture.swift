import Crypto
import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Storage
import Synchronization
import Testing

@testable import Gateway

/// A gateway whose events leave by a script.
struct DestinationFixture: Sendable {
    let tokens: TokenFixture
    let gateway: Gateway
    let transport: ScriptedTransport

    var clock: MovableClock { tokens.base.clock }

    /// - Parameter answer: What destinations say. They have it all, unless told otherwise.
    init(
        _ answer: @escaping @Sendable (UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse = { _ in
            UpstreamResponse(status: 204, headers: [], body: SecretBytes([]))
        }
    ) async throws {
        tokens = try TokenFixture()
        let transport = ScriptedTransport(answer)
        var directory = tokens.gateway.directory
        directory.courier = EventCourier(accepts: { $0.hasPrefix("https://") }, transport: transport)
        self.transport = transport
        gateway = tokens.gateway.serving(directory)
        try await tokens.register()
    }

    func add(_ url: String = "https://hooks.example/a") async throws -> RevealedDestination {
        try await gateway.addDestination(url: url, program: "rides", actor: .test)
    }

    /// Has an event written, of a token of its own.
    func tell(_ token: String, card: CardKey = TokenFixture.card, _ providerCardID: String = "card_t") async throws {
        _ = try await tokens.base.store.settle(
            TokenReport(
                card: card, provider: "tokens", connection: "token_main", providerCardID: providerCardID,
                source: .probe,
                tokens: [
                    TokenSighting(
                        id: token, status: .active, rawStatus: "active", wallet: .applePay, createdAt: clock.now,
                        precisionMilliseconds: 1)
                ], observedAt: clock.now, receivedAt: clock.now))
    }

    /// Sends what is due, once; how many that were.
    @discardableResult
    func sendDue() async -> Int {
        let due = await gateway.claimOutgoing(atMost: 100)
        for delivery in due { await gateway.send(delivery) }
        return due.count
    }

    func log(_ made: RevealedDestination) async throws -> [StoredDelivery] {
        try await gateway.deliveries(
            DeliveryQuery(destination: made.destination.id, page: PageRequest(limit: 100))
        ).elements
    }

    /// Whether a request's bytes are signed with the secret, whichever of its signatures that is.
    static func isSigned(_ request: UpstreamRequest, with secret: SecretText) throws -> Bool {
        let fields = Dictionary(uniqueKeysWithValues: request.headers.map { ($0.name, $0.value.reveal()) })
        let key = try #require(WebhookSecret(secret)).key
        let head = SecretBytes(utf8: "\(fields["webhook-id"] ?? "").\(fields["webhook-timestamp"] ?? "").")
        let code = HMACSHA256.code(key: key, of: [head, try #require(request.body)])
        return (fields["webhook-signature"] ?? "").split(separator: " ").contains("v1,\(Base64.encode(code))")
    }
}
