import ProviderKit
import SecretMemory

/// The settings of one connection to Thales.
struct ThalesConfiguration: Sendable {
    /// How an envelope is written as text.
    enum PayloadForm: String, Sendable, CaseIterable {
        /// Lower-case hexadecimal: what the SDK's Android reference says.
        case hex
        /// Standard base64 on one line.
        case base64
    }

    /// Where card data comes from, and to whom it is encrypted.
    struct CardSource: Sendable {
        /// What stands before the card's id in the vault's URL.
        let before: String
        /// What stands after it.
        let after: String
        /// `Authorization: Bearer …`
        let authorization: UpstreamRequest.Header
        /// Encrypts to the certificate from onboarding.
        let enveloper: any EnvelopeMaking
    }

    /// The issuer id from onboarding.
    let issuerID: String
    /// Signs the codes, RS256.
    let signer: TokenSigner
    /// How long a code works, in seconds: 300 at most.
    let timeToLive: Int
    /// How envelopes are written.
    let payloadForm: PayloadForm
    /// The platform's vault; nil where the platform encrypts by itself.
    let cardSource: CardSource?

    /// Reads the connection's keys; nil where a problem was reported that forbids a connection.
    init?(_ settings: ConnectionSettings, kit: AdapterKit) {
        let issuerID = settings.text("issuer_id")
        let signer = settings.signingKey(algorithm: "RS256", namesType: true, kit: kit)
        timeToLive = settings.integer("ttl_seconds", in: 1...300, default: 300)
        payloadForm = Self.choice("payload_form", default: .hex, in: settings)
        let hasSource = settings.has("card_source")
        let enveloper = Self.enveloper(settings, isNeeded: hasSource, kit: kit)
        cardSource = settings.section("card_source").flatMap { Self.cardSource($0, enveloper: enveloper) }
        if hasSource {
            settings.warning(
                "card_source",
                "puts the gateway in PAN scope: card numbers pass through its memory, and PCI DSS applies")
        }
        guard let issuerID, let signer, !hasSource || cardSource != nil else { return nil }
        self.issuerID = issuerID
        self.signer = signer
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, default fallback: Choice, in settings: ConnectionSettings
    ) -> Choice {
        let words = Choice.allCases.map(\.rawValue)
        return Choice(rawValue: settings.choice(key, of: words, default: fallback.rawValue)) ?? fallback
    }

    /// Who encrypts to `encryption_certificate`, which is read even where it is not needed: a damaged one is a mistake.
    private static func enveloper(_ settings: ConnectionSettings, isNeeded: Bool, kit: AdapterKit) -> (
        any EnvelopeMaking
    )? {
        let transport = choice("key_transport", default: KeyTransport.oaepSHA256, in: settings)
        guard let certificate = settings.secret("encryption_certificate", required: isNeeded) else { return nil }
        do throws(CryptographyFailure) {
            return try kit.cryptography.enveloper(certificate: certificate, keyTransport: transport)
        } catch {
            settings.problem("encryption_certificate", error.description)
            return nil
        }
    }

    private static func cardSource(_ settings: ConnectionSettings, enveloper: (any EnvelopeMaking)?) -> CardSource? {
        let url = settings.urlTemplate("url", placeholder: "provider_card_id")
        guard let token = settings.credential("token"), let url, let enveloper else { return nil }
        return CardSource(before: url.before, after: url.after, authorization: .bearer(token), enveloper: enveloper)
    }
}
