public import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

/// Checkout.com's API as far as wallets need it, with Thales D1 behind it: access tokens, cards, cardholders, digital
/// cards, and a D1 that verifies authorizations.
///
/// It is stateful and strict: an access token must have been given, be alive and cover the call; a form is a form; an id
/// has its form; an authorization is taken once.
///
/// Upstream reference: <https://api-reference.checkout.com/#tag/Cards>.
public final class CheckoutEmulator: Emulator {
    /// The only OAuth client that it knows. It is invented.
    public static let clientID = "cli_simulated"
    /// The client's secret. It is invented.
    public static let clientSecret = "checkout_secret_invented_for_the_laboratory"
    /// The signature key of its webhooks. It is invented.
    public static let webhookSecret = "signature_key_invented_for_the_laboratory"
    /// The `kid` of the laboratory's key.
    public static let keyID = "d1api-simulated-01"

    static let keyFile = "checkout_d1_key.pem"
    static let serviceRSAModulus = "c0ffee00d1"
    static let serviceRSAExponent = "010001"

    /// `checkout`
    public let name = "checkout"
    /// `Checkout.com`
    public let displayName = "Checkout.com"
    /// What verifies authorizations.
    public let d1: D1Backend

    let json: any JSONParsing
    let network: SimulatedNetwork
    let clock: any WallClock
    let tokenLife: Int
    let state = Mutex(CheckoutState())
    private let privateKeyPEM: SecretText

    /// An emulator with nothing in it, and a key of its own. An access token lives for `tokenLife` seconds.
    public init(
        json: any JSONParsing, network: SimulatedNetwork, clock: any WallClock = SandboxClock(), tokenLife: Int = 3600
    ) {
        self.json = json
        self.network = network
        self.clock = clock
        self.tokenLife = tokenLife
        // Without a key the connection cannot be made, and its settings say why.
        let pair = try? TokenVerifier.makePair()
        privateKeyPEM = pair?.privateKeyPEM ?? SecretText("")
        let keys = pair.map { [Self.keyID: $0.verifier] } ?? [:]
        d1 = D1Backend(issuerID: "SIMISSUER1", keys: keys, json: json, clock: clock)
    }

    /// Every magic card.
    public var magicIDs: [MagicID] { MagicCard.documentation }

    /// A Mastercard that always works.
    public var demoCard: EmulatedCard { card(.ok) }

    /// The SDK shows D1 the authorization.
    public var sdk: (any ProcessorSDK)? { SimulatedCheckoutSDK(emulator: self) }

    /// Asks for an access token.
    public func sampleCall(at baseURL: String) -> String {
        "curl -s \(baseURL)/connect/token -d grant_type=client_credentials -d client_id=\(Self.clientID)"
            + " -d client_secret=\(Self.clientSecret)"
    }

    /// A test connection, with the laboratory's key in a file beside the configuration.
    public func connection(at baseURL: String) -> EmulatedConnection {
        let d1 = """
            { issuer_id: "\(d1.issuerID)", algorithm: ES256, keys: [{ key_id: "\(Self.keyID)", file: "\(Self.keyFile)", \
            active: true }], issuer_url: "\(d1.issuerURL)", audience_url: "\(d1.audienceURL)", \
            service_url: "\(baseURL)/d1/", digital_card_url: "\(baseURL)/d1/tpc", \
            service_rsa_modulus: "\(Self.serviceRSAModulus)", service_rsa_exponent: "\(Self.serviceRSAExponent)" }
            """
        return EmulatedConnection(
            settings: [
                ("provider", name), ("environment", "test"), ("client_id", "\"\(Self.clientID)\""),
                ("client_secret", "\"\(Self.clientSecret)\""), ("base_url", "\"\(baseURL)\""),
                ("access_url", "\"\(baseURL)/connect/token\""),
                ("webhook_secrets", "[\"\(Self.webhookSecret)\"]"), ("d1", d1),
            ], files: [(Self.keyFile, privateKeyPEM.reveal())])
    }

    /// Forgets access tokens, cards and authorizations. Its key stays.
    public func reset() {
        state.withLock { $0 = CheckoutState() }
        d1.reset()
    }

    /// Answers one request.
    public func handle(_ request: EmulatedRequest) async -> EmulatedResponse {
        let segments = request.segments
        switch segments.first {
        case "connect" where segments == ["connect", "token"]: return grantToken(request)
        case "d1" where segments.count == 2: return serveD1(segments[1], request)
        case "issuing" where segments.count >= 3: break
        default: return CheckoutError.notFound.response
        }
        if let refusal = refusal(of: request) { return refusal.response }
        guard request.method == "GET" else { return CheckoutError.methodNotAllowed.response }
        if !request.query.isEmpty { return CheckoutError.invalid(["query_unknown"]).response }
        return read(Array(segments.dropFirst()), token: accessToken(in: request) ?? "")
    }

    func card(_ magic: MagicCard) -> EmulatedCard {
        EmulatedCard(
            id: magic.id, cardholderID: CheckoutState.cardholder, last4: IssuedCard.lastFour, network: .mastercard)
    }
}
