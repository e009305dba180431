public import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

/// Imprint's API as far as wallets need it: payment methods, and the call that provisions one to a wallet.
///
/// It is stateful and strict: unknown members, base64 that is not standard and padded on one line, certificates in
/// another order, a nonce signature that the leaf's key did not make, and a nonce seen before are all refused, in
/// Imprint's words and in whichever of its four shapes belongs there.
///
/// Upstream reference: <https://docs.imprint.co/add-to-wallet>.
public final class ImprintEmulator: Emulator {
    /// The only key that it accepts, as a Bearer token or as the user of Basic with an empty password. It is invented.
    public static let apiKey = "imprint_key_invented_for_the_laboratory"
    /// The same credential as a pair: id and secret.
    public static let apiKeyPair = "imprint_id_invented:imprint_secret_invented"
    /// The only merchant that it knows.
    public static let merchantKey = "merchant_invented"
    /// The signing token of its webhooks. It is invented.
    public static let webhookSecret = "signing_token_invented_for_the_laboratory"
    /// The card number that every card's `pci_details` shows: a widely known test number. It must be found nowhere.
    public static let cardNumber = String(repeating: PaymentMethod.last4, count: 4)
    /// The card's code, in the same place.
    public static let cardCode = "cvv-invented-for-the-laboratory"

    /// `imprint`
    public let name = "imprint"
    /// `Imprint`
    public let displayName = "Imprint"

    let json: any JSONParsing
    let network: SimulatedNetwork
    let clock: any WallClock
    let state = Mutex(ImprintState())

    /// An emulator with nothing in it.
    public init(json: any JSONParsing, network: SimulatedNetwork, clock: any WallClock = SandboxClock()) {
        self.json = json
        self.network = network
        self.clock = clock
    }

    /// Every magic payment method.
    public var magicIDs: [MagicID] { MagicPaymentMethod.documentation }

    /// A Visa card that always works.
    public var demoCard: EmulatedCard {
        EmulatedCard(
            id: "0CA4D000-0000-4000-8000-000000000001", last4: PaymentMethod.last4, network: .visa)
    }

    /// Reads the demo's payment method.
    public func sampleCall(at baseURL: String) -> String {
        "curl -s \(baseURL)/v2/payment_methods/\(demoCard.id) -H 'Authorization: Bearer \(Self.apiKey)'"
    }

    /// A test connection that has Google Pay turned on.
    public func connection(at baseURL: String) -> EmulatedConnection {
        EmulatedConnection(settings: [
            ("provider", name), ("environment", "test"), ("api_key", "\"\(Self.apiKey)\""), ("auth", "bearer"),
            ("merchant_key", "\"\(Self.merchantKey)\""), ("google_pay", "true"), ("base_url", "\"\(baseURL)\""),
            ("webhook_secrets", "[\"\(Self.webhookSecret)\"]"),
        ])
    }

    /// Forgets tokens, devices and nonces.
    public func reset() { state.withLock { $0 = ImprintState() } }

    /// Answers one request.
    public func handle(_ request: EmulatedRequest) async -> EmulatedResponse {
        do throws(ImprintError) {
            try check(request)
            return try state.withLock { state throws(ImprintError) in try answer(request, &state) }
        } catch {
            return error.response(at: clock.now)
        }
    }

    /// Checks the credentials and the form of the request.
    private func check(_ request: EmulatedRequest) throws(ImprintError) {
        let accepted = [
            "Bearer \(Self.apiKey)", "Basic \(Base64.encode(Array("\(Self.apiKey):".utf8)))",
            "Basic \(Base64.encode(Array(Self.apiKeyPair.utf8)))",
        ]
        guard let authorization = request.header("authorization"), accepted.contains(authorization) else {
            throw .unauthorized
        }
        if request.headers.contains(where: { $0.name == "x-imprint-merchant-key" }),
            request.header("x-imprint-merchant-key") != Self.merchantKey
        {
            throw .unknownMerchant
        }
        guard request.method == "POST" else { return }
        let media = request.header("content-type")?.lowercased().split(separator: ";").first.map(String.init)
        guard media == "application/json" else {
            throw .framework(
                status: 415, error: "Unsupported Media Type", path: request.path,
                details: ["Send Content-Type: application/json."])
        }
    }

    private func answer(_ request: EmulatedRequest, _ state: inout ImprintState) throws(ImprintError)
        -> EmulatedResponse
    {
        let segments = request.segments
        if segments.count >= 3, segments[0] == "v2", segments[1] == "payment_methods" {
            switch (request.method, segments.count) {
            case ("GET", 3): return try read(segments[2], &state)
            case ("POST", 5) where segments[3] == "provision":
                return try provision(segments[2], segments[4], request, &state)
            default: break
            }
        }
        throw .framework(status: 404, error: "Not Found", path: request.path, details: [])
    }

    /// Answers `GET /v2/payment_methods/{id}`.
    private func read(_ id: String, _ state: inout ImprintState) throws(ImprintError) -> EmulatedResponse {
        guard let method = state.method(id, at: clock.now) else {
            throw .notFound(
                type: "INVALID_REQUEST_ERROR", message: "There is no such payment method.",
                parameter: "payment_method_id")
        }
        var json = JSONWriter()
        method.write(into: &json)
        return .json(200, json.finish())
    }
}
