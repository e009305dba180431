public import ProviderKit
import Provisioning
public import Sandbox
import SecretMemory

/// What stands around a Thales connection: the platform's card vault, and Thales's side of its SDK.
///
/// The gateway reads cards from the vault, `GET /cards/{id}`, and calls nothing else. What it makes of them meets Thales
/// only when the app's SDK shows it: the emulated SDK does, and the emulated Thales opens the envelope and verifies the
/// code, strictly.
///
/// Upstream reference: <https://docs.payments.thalescloud.io/classic-push-provisioning>.
public final class ThalesEmulator: Emulator {
    /// The only token that the vault accepts. It is invented.
    public static let vaultToken = "vault_token_invented_for_the_laboratory"

    /// `thales-vault`
    public let name = "thales-vault"
    /// `thales`
    public let provider = "thales"
    /// `Thales`
    public let displayName = "Thales"

    private let backend: ThalesBackend

    /// A vault with its cards, and a Thales that has seen no code.
    public init(json: any JSONParsing, clock: any WallClock = SandboxClock()) {
        backend = ThalesBackend(json: json, clock: clock)
    }

    /// Every magic card.
    public var magicIDs: [MagicID] { MagicCard.documentation }

    /// A Visa card that always works.
    public var demoCard: EmulatedCard { Self.card(MagicCard.ok.id) }

    /// The TPC SDK.
    public var sdk: (any ProcessorSDK)? { ThalesSDK(backend: backend) }

    /// The card of that id, as a platform would bind it.
    public static func card(_ id: String) -> EmulatedCard {
        let entry = VaultEntry(id: id, network: MagicCard.named(id)?.network ?? .visa)
        return EmulatedCard(id: id, last4: entry.last4, network: entry.network)
    }

    /// The number of the card of that id: what must be found nowhere else.
    public static func cardNumber(of id: String) -> SecretText {
        VaultEntry(id: id, network: MagicCard.named(id)?.network ?? .visa).number
    }

    /// Reads the demo's card.
    public func sampleCall(at baseURL: String) -> String {
        "curl -s \(baseURL)/cards/\(demoCard.id) -H 'Authorization: Bearer \(Self.vaultToken)'"
    }

    /// A test connection, with the keys of this process's onboarding in files beside the configuration.
    public func connection(at baseURL: String) -> EmulatedConnection {
        let onboarding = try? ThalesOnboarding.shared.get()
        return EmulatedConnection(
            settings: [
                ("provider", "thales"), ("environment", "test"), ("issuer_id", "\"\(ThalesOnboarding.issuerID)\""),
                ("keys", "[{ key_id: \"\(ThalesOnboarding.keyID)\", file: \"thales-issuer.pem\", active: true }]"),
                ("encryption_certificate", "\"file:thales-certificate.pem\""),
                ("card_source", "{ url: \"\(baseURL)/cards/{provider_card_id}\", token: \"\(Self.vaultToken)\" }"),
            ],
            files: [
                ("thales-issuer.pem", onboarding?.issuerKey.reveal() ?? ""),
                ("thales-certificate.pem", onboarding?.gateway.certificate ?? ""),
            ])
    }

    /// Forgets which codes were used.
    public func reset() { backend.reset() }

    /// Answers one request to the vault.
    public func handle(_ request: EmulatedRequest) async -> EmulatedResponse {
        guard request.header("authorization") == "Bearer \(Self.vaultToken)" else { return VaultAnswer.unauthorized }
        let segments = request.segments
        guard segments.count == 2, segments[0] == "cards" else { return VaultAnswer.failure(404, "no_such_path") }
        guard request.method == "GET" else { return VaultAnswer.failure(405, "method_not_allowed") }
        guard request.header("accept") == "application/json" else { return VaultAnswer.failure(406, "not_acceptable") }
        guard request.query.isEmpty, request.body.isEmpty else { return VaultAnswer.failure(400, "bad_request") }
        guard let magic = MagicCard.named(segments[1]) else { return VaultAnswer.failure(404, "no_such_card") }
        return VaultAnswer.of(magic, id: segments[1])
    }
}
