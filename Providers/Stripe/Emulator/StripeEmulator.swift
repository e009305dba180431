public import ProviderKit
import Provisioning
public import Sandbox
import Synchronization

/// Stripe's API as far as wallets need it: ephemeral keys, issued cards, network tokens, and the call that Stripe's SDKs
/// make with a key.
///
/// It is stateful and strict: the version is one header and never a parameter, bodies are forms without unknown
/// parameters, an ephemeral key opens its card alone, in its version and for an hour, and a nonce works once.
///
/// Upstream reference: <https://docs.stripe.com/issuing/cards/digital-wallets>.
public final class StripeEmulator: Emulator {
    /// The only secret key that it accepts. It is invented.
    public static let secretKey = "sk_test_invented_for_the_laboratory"
    /// The only connected account that the key has access to. It is invented.
    public static let account = "acct_Laboratory"

    /// The secret of its webhooks. It is invented.
    public static let webhookSecret = "whsec_invented_for_the_laboratory"

    /// `stripe`
    public let name = "stripe"
    /// `Stripe`
    public let displayName = "Stripe"

    let json: any JSONParsing
    let network: SimulatedNetwork
    let clock: any WallClock
    let state = Mutex(StripeState())

    /// An emulator with nothing in it.
    public init(json: any JSONParsing, network: SimulatedNetwork, clock: any WallClock = SandboxClock()) {
        self.json = json
        self.network = network
        self.clock = clock
    }

    /// Every magic card.
    public var magicIDs: [MagicID] { MagicCard.documentation }

    /// A Visa card that always works.
    public var demoCard: EmulatedCard { EmulatedCard(id: MagicCard.ok.id, last4: "4242", network: .visa) }

    /// Stripe's mobile SDK.
    public var sdk: (any ProcessorSDK)? { StripeSDK(stripe: self) }

    /// Reads the demo's card.
    public func sampleCall(at baseURL: String) -> String {
        "curl -s \(baseURL)/v1/issuing/cards/\(demoCard.id) -u \(Self.secretKey):"
    }

    /// A test connection.
    public func connection(at baseURL: String) -> EmulatedConnection {
        EmulatedConnection(settings: [
            ("provider", name), ("environment", "test"), ("secret_key", "\"\(Self.secretKey)\""),
            ("base_url", "\"\(baseURL)\""), ("webhook_secrets", "[\"\(Self.webhookSecret)\"]"),
        ])
    }

    /// Forgets cards, keys, tokens, nonces and idempotency keys.
    public func reset() { state.withLock { $0 = StripeState() } }

    /// Answers one request. Every answer names itself, and the version that it is written in.
    public func handle(_ request: EmulatedRequest) async -> EmulatedResponse {
        var answer = state.withLock { state in
            do throws(StripeError) { return try route(request, &state) } catch { return error.response }
        }
        answer.headers.append(("request-id", StripeState.newID("req_", length: 14)))
        if let version = request.header("stripe-version") { answer.headers.append(("stripe-version", version)) }
        return answer
    }

    private func route(_ request: EmulatedRequest, _ state: inout StripeState) throws(StripeError) -> EmulatedResponse {
        let credential = try credential(of: request)
        let version = try version(of: request)
        let segments = request.segments
        guard segments.first == "v1" else { throw .unknownURL(request.method, request.path) }
        if segments.count == 5, segments[1...2] == ["issuing", "cards"], segments[4] == "push_provisioning_details" {
            guard request.method == "GET" else { throw .unknownURL(request.method, request.path) }
            return try pushDetails(segments[3], request, credential: credential, version: version, &state)
        }
        guard credential == Self.secretKey else { throw .wrongKey }
        let accounts = request.headers.filter { $0.name == "stripe-account" }.map(\.value)
        guard accounts.isEmpty || accounts == [Self.account] else { throw .wrongAccount }
        switch (request.method, segments.count) {
        case ("POST", 2) where segments[1] == "ephemeral_keys":
            return try once(request, account: accounts.first, version: version, &state) {
                (state) throws(StripeError) in try createKey(request, version: version, &state)
            }
        case ("DELETE", 3) where segments[1] == "ephemeral_keys": return try deleteKey(segments[2], &state)
        case ("GET", 3) where segments[1...2] == ["issuing", "cards"]: return try listCards(request, state)
        case ("GET", 4) where segments[1...2] == ["issuing", "cards"]: return try readCard(segments[3], &state)
        case ("GET", 3) where segments[1...2] == ["issuing", "tokens"]: return try listTokens(request, state)
        case ("GET", 4) where segments[1...2] == ["issuing", "tokens"]:
            return try readToken(segments[3], request, state)
        case ("POST", 4) where segments[1...2] == ["issuing", "tokens"]:
            return try once(request, account: accounts.first, version: version, &state) {
                (state) throws(StripeError) in try changeToken(segments[3], request, &state)
            }
        default: throw .unknownURL(request.method, request.path)
        }
    }

    /// The key that the request shows: as a bearer, or as the user of Basic authentication without a password.
    private func credential(of request: EmulatedRequest) throws(StripeError) -> String {
        guard let header = request.header("authorization") else { throw .noKey }
        if header.hasPrefix("Bearer ") { return String(header.dropFirst("Bearer ".count)) }
        guard header.hasPrefix("Basic "),
            let pair = Base64.decode(SecretBytes(utf8: header.dropFirst("Basic ".count)))?.revealText(),
            pair.hasSuffix(":")
        else { throw .noKey }
        return String(pair.dropLast())
    }

    /// The version that the request asks for; nil where it leaves that to the account.
    private func version(of request: EmulatedRequest) throws(StripeError) -> String? {
        let versions = request.headers.filter { $0.name == "stripe-version" }.map(\.value)
        guard versions.count < 2 else { throw .invalid("Send one Stripe-Version header.") }
        guard let version = versions.first else { return nil }
        guard version.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}(\.[a-z0-9_]+)?/) != nil else {
            throw .invalid("Invalid Stripe API version.")
        }
        return version
    }

    /// Answers a POST: the stored answer where the idempotency key has been seen, else a new one.
    ///
    /// What was refused before it began is not kept; what began is, a failure too.
    private func once(
        _ request: EmulatedRequest, account: String?, version: String?, _ state: inout StripeState,
        _ work: (inout StripeState) throws(StripeError) -> (answer: EmulatedResponse, hasBegun: Bool)
    ) throws(StripeError) -> EmulatedResponse {
        let keys = request.headers.filter { $0.name == "idempotency-key" }.map(\.value)
        guard keys.count < 2, keys.allSatisfy({ (1...255).contains($0.utf8.count) }) else {
            throw .invalid("Send one Idempotency-Key of 1 to 255 characters, or none.")
        }
        if let key = keys.first, let earlier = state.remembered[key] {
            guard earlier.path == request.path, earlier.account == account, earlier.version == version,
                earlier.body == request.body
            else { throw .keyReused }
            var again = earlier.answer
            again.headers.append(("idempotent-replayed", "true"))
            return again
        }
        let (answer, hasBegun) = try work(&state)
        if let key = keys.first, hasBegun {
            var kept = answer
            kept.delay = nil
            kept.breaks = nil
            state.remembered[key] = StripeState.Remembered(
                path: request.path, account: account, version: version, body: request.body, answer: kept)
        }
        return answer
    }
}
