public import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

/// Increase's API as far as wallets need it: cards, `push_provision` and digital wallet tokens.
///
/// It is stateful and strict: unknown members, a channel with another channel's member, base64 that is not standard and
/// padded on one line, a nonce signature that the leaf's key did not make, and a nonce seen before are all refused, in
/// Increase's words.
///
/// Upstream reference: <https://increase.com/documentation/push-provisioning>.
public final class IncreaseEmulator: Emulator {
    /// The only key that it accepts. It is invented.
    public static let apiKey = "sandbox_increase_key_invented_for_the_laboratory"
    /// The secret of its webhooks. It is invented.
    public static let webhookSecret = "shared_secret_invented_for_the_laboratory"

    /// `increase`
    public let name = "increase"
    /// `Increase`
    public let displayName = "Increase"

    let json: any JSONParsing
    let network: SimulatedNetwork
    let clock: any WallClock
    let state = Mutex(IncreaseState())

    /// An emulator with nothing in it.
    public init(json: any JSONParsing, network: SimulatedNetwork, clock: any WallClock = SandboxClock()) {
        self.json = json
        self.network = network
        self.clock = clock
    }

    /// Every magic card.
    public var magicIDs: [MagicID] { MagicCard.documentation }

    /// A Visa card that always works.
    public var demoCard: EmulatedCard { EmulatedCard(id: "sandbox_card_ok", last4: "1881", network: .visa) }

    /// One of the Visa cards that always work.
    public func card(numbered number: Int) -> EmulatedCard? {
        EmulatedCard(id: "sandbox_card_ok\(number)", last4: "1881", network: .visa)
    }

    /// Reads the demo's card.
    public func sampleCall(at baseURL: String) -> String {
        "curl -s \(baseURL)/cards/\(demoCard.id) -H 'Authorization: Bearer \(Self.apiKey)'"
    }

    /// A test connection.
    public func connection(at baseURL: String) -> EmulatedConnection {
        EmulatedConnection(settings: [
            ("provider", name), ("environment", "test"), ("api_key", "\"\(Self.apiKey)\""),
            ("base_url", "\"\(baseURL)\""), ("webhook_secrets", "[\"\(Self.webhookSecret)\"]"),
        ])
    }

    /// Forgets cards, tokens, nonces and idempotency keys.
    public func reset() { state.withLock { $0 = IncreaseState() } }

    /// Answers one request.
    public func handle(_ request: EmulatedRequest) async -> EmulatedResponse {
        if let refusal = refusal(of: request) { return refusal.response }
        return state.withLock { state in
            request.method == "GET" ? read(request, &state) : act(request, &state)
        }
    }

    /// What is wrong with the credentials, or with the form of the request.
    private func refusal(of request: EmulatedRequest) -> IncreaseError? {
        guard request.headers.contains(where: { $0.name == "authorization" }) else {
            return .invalidKey(reason: "no_header")
        }
        guard let header = request.header("authorization"), header.hasPrefix("Bearer ") else {
            return .invalidKey(reason: "no_credential")
        }
        let key = header.dropFirst("Bearer ".count)
        guard key == Self.apiKey else {
            return .invalidKey(reason: key.hasPrefix("sandbox_") ? "no_credential" : "wrong_environment")
        }
        guard request.method == "POST" else { return nil }
        let media = request.header("content-type")?.lowercased().split(separator: ";").first
        guard media?.trimmingSuffix(while: { $0 == " " }) == "application/json" else {
            return .malformedRequest("Send Content-Type: application/json.")
        }
        return nil
    }

    /// Answers a GET.
    private func read(_ request: EmulatedRequest, _ state: inout IncreaseState) -> EmulatedResponse {
        let segments = request.segments
        switch (segments.first, segments.count) {
        case ("cards", 1): return listCards(request, state)
        case ("cards", 2): return readCard(segments[1], &state)
        case ("digital_wallet_tokens", 1): return listTokens(request, state)
        case ("digital_wallet_tokens", 2): return readToken(segments[1], state)
        default: return IncreaseError.unknownMethod(request.path).response
        }
    }

    /// Answers a POST: the stored answer where the idempotency key has been seen, else a new one.
    private func act(_ request: EmulatedRequest, _ state: inout IncreaseState) -> EmulatedResponse {
        let segments = request.segments
        let isCreation = segments == ["cards"]
        let isPush = segments.count == 3 && segments[0] == "cards" && segments[2] == "push_provision"
        guard request.method == "POST", isCreation || isPush else {
            return IncreaseError.unknownMethod(request.path).response
        }
        let keys = request.headers.filter { $0.name == "idempotency-key" }.map(\.value)
        guard keys.count < 2, !keys.contains("") else {
            return IncreaseError.malformedRequest("Send one Idempotency-Key, or none.").response
        }
        if let key = keys.first, let earlier = state.remembered[key] {
            guard earlier.method == request.method, earlier.path == request.path, earlier.body == request.body else {
                return IncreaseError.keyAlreadyUsed(resource: earlier.resource).response
            }
            var again = earlier.answer
            again.headers.append(("idempotent-replayed", "true"))
            return again
        }
        let (answer, resource) =
            isCreation
            ? createCard(request.body, key: keys.first, &state) : pushProvision(segments[1], request.body, &state)
        if let key = keys.first, let resource {
            var kept = answer
            kept.delay = nil
            kept.breaks = nil
            state.remembered[key] = IncreaseState.Remembered(
                method: request.method, path: request.path, body: request.body, answer: kept, resource: resource)
        }
        return answer
    }
}

extension StringProtocol {
    /// Without the characters at the end that match.
    fileprivate func trimmingSuffix(while matches: (Character) -> Bool) -> String {
        String(String(reversed().drop(while: matches)).reversed())
    }
}
