public import ProviderConformance
public import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory
import Synchronization

/// Acme's API: two calls, one key, and sessions that work once.
public final class AcmeEmulator: Emulator {
    /// The only key that it accepts. It is invented.
    public static let apiKey = "test_acme_key_invented_for_the_laboratory"

    /// `acme`
    public let name = "acme"
    /// `Acme`
    public let displayName = "Acme"
    private let json: any JSONParsing
    private let network: SimulatedNetwork
    private let spentSessions = Mutex<Set<String>>([])

    /// An emulator with nothing in it.
    public init(json: any JSONParsing, network: SimulatedNetwork) {
        self.json = json
        self.network = network
    }

    /// What cards do by their ids.
    public var magicIDs: [MagicID] {
        [
            MagicID("acme_ok…", "an active card; anything of [a-z0-9] may follow, each a card of its own"),
            MagicID("acme_blocked", "a blocked card"),
            MagicID("acme_asleep", "works, and has a status that nobody has heard of"),
        ]
    }

    /// A Visa card that always works.
    public var demoCard: EmulatedCard { card("acme_ok") }

    /// Reads the demo's card.
    public func sampleCall(at baseURL: String) -> String {
        "curl -s \(baseURL)/cards/\(demoCard.id) -H 'Authorization: Bearer \(Self.apiKey)'"
    }

    /// A test connection.
    public func connection(at baseURL: String) -> EmulatedConnection {
        EmulatedConnection(settings: [
            ("provider", name), ("environment", "test"), ("api_key", "\"\(Self.apiKey)\""),
            ("base_url", "\"\(baseURL)\""),
        ])
    }

    /// Forgets which sessions were used.
    public func reset() { spentSessions.withLock { $0.removeAll() } }

    /// How each situation comes about.
    public func staging(of situation: Situation, for operation: Operation) -> Staging? {
        switch situation {
        case .cardExists: Staging(demoCard)
        case .enumValuesUnheardOf: Staging(card("acme_asleep"))
        case .cardMissing: Staging(card("acme_nobody"))
        case .cardIneligible: Staging(card("acme_blocked"))
        case .credentialsRejected: Staging(demoCard, settings: [("api_key", "\"test_key_that_nobody_knows\"")])
        case .permissionDenied: Staging(demoCard, answering: failure(403, "forbidden"))
        case .notEnabled: Staging(demoCard, answering: failure(403, "wallets_off"))
        case .handshakeRejected: Staging(demoCard, answering: failure(400, "handshake_refused"))
        case .alreadyProvisioned: Staging(demoCard, answering: failure(409, "in_wallet_already"))
        case .deviceIneligible: Staging(demoCard, answering: failure(422, "wrong_device"))
        case .rateLimited: Staging(demoCard, answering: failure(429, "slow_down"))
        case .refusalUnheardOf: Staging(demoCard, answering: failure(422, "raining"))
        case .failureUnheardOf: Staging(demoCard, answering: failure(500, "flooded"))
        default: nil
        }
    }

    /// Answers one request.
    public func handle(_ request: EmulatedRequest) async -> EmulatedResponse {
        guard request.header("authorization") == "Bearer \(Self.apiKey)" else { return failure(401, "bad_key") }
        let segments = request.segments
        if request.method == "GET", segments == ["cards"] { return list() }
        guard segments.count > 1, segments[0] == "cards", isKnown(segments[1]) else {
            return failure(404, "no_such_card")
        }
        switch (request.method, segments.dropFirst(2)) {
        case ("GET", []): return read(segments[1])
        case ("POST", ["google_push"]): return push(request.body)
        default: return failure(404, "no_such_call")
        }
    }

    private func isKnown(_ id: String) -> Bool {
        id.hasPrefix("acme_ok") || id == "acme_blocked" || id == "acme_asleep"
    }

    private func list() -> EmulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.member("cards", array: { json in json.object { $0.member("id", demoCard.id) } })
        }
        return .json(200, json.finish())
    }

    private func read(_ id: String) -> EmulatedResponse {
        let status = id.hasPrefix("acme_ok") ? "active" : id == "acme_blocked" ? "blocked" : "asleep"
        var json = JSONWriter()
        json.object { json in
            json.member("id", id)
            json.member("status", status)
        }
        return .json(200, json.finish())
    }

    private func push(_ body: SecretBytes) -> EmulatedResponse {
        var reader = StrictReader()
        let view = try? json.parse(body).root
        let members = reader.members(of: view, at: "", known: ["wallet", "device", "session"]) ?? [:]
        _ = reader.text(members["wallet"], at: "wallet")
        _ = reader.text(members["device"], at: "device")
        let session = reader.text(members["session"], at: "session", required: false)
        guard reader.problems.isEmpty else { return failure(400, "bad_request") }
        if let session, !spentSessions.withLock({ $0.insert(session).inserted }) {
            return failure(400, "handshake_refused")
        }
        let token = SimulatedToken.new(for: demoCard.last4, network: "visa", cardholderName: "Ian Crease")
        guard let deviceCard = try? network.opaqueCard(token, for: .tokenServiceProvider),
            let accountCard = try? network.opaqueCard(token, for: .googleAccount)
        else { return failure(500, "no_card") }
        var json = JSONWriter()
        json.object { json in
            json.member("device_card", deviceCard)
            if session != nil { json.member("account_card", accountCard) }
        }
        return .json(200, json.finish())
    }

    private func card(_ id: String) -> EmulatedCard { EmulatedCard(id: id, last4: "1288", network: .visa) }

    private func failure(_ status: Int, _ word: String) -> EmulatedResponse {
        var json = JSONWriter()
        json.object { json in
            json.member("error", word)
            json.member("message", "The person at the desk said no.")
        }
        var answer = EmulatedResponse.json(status, json.finish())
        if status == 429 { answer.headers.append(("retry-after", "7")) }
        return answer
    }
}
