import Gateway
import ProviderKit
import Provisioning
import SecretMemory
import Storage

/// Reads the body of `POST /v1/cards/{card}/provisionings`. What the serving handoff needs of it, the gateway knows.
enum ProvisionBody {
    /// What people send who keep PassKit's certificates in two fields.
    private static let certificatesAdvice =
        #"is not known here; send "apple_pay": {"certificates": ["<leaf>", "<intermediate>"], "#
        + #""nonce": "<nonce>", "nonce_signature": "<signature>"}"#
    private static let certificateAliases = [
        "certificateLeaf", "certificateSubCA", "leafCertificate", "subCACertificate", "certificateIntermediate",
        "leaf", "subCA", "intermediate",
    ]
    private static let aliases = Dictionary(
        certificateAliases.map { ($0, certificatesAdvice) }
    ) { first, _ in first }

    static let request = KnownMembers(
        [
            "wallet", "channel", "origin", "accept", "plan", "cardholder", "apple_pay", "google_pay", "client",
            "thales",
        ],
        advice: aliases.merging(
            [
                "certificates": "apple_pay/certificates", "nonce": "apple_pay/nonce",
                "nonce_signature": "apple_pay/nonce_signature", "encoding": "apple_pay/encoding",
                "wallet_id": "google_pay/wallet_id", "device_id": "google_pay/device_id",
                "server_session_id": "google_pay/server_session_id",
                "stripe_api_version": "client/stripe_api_version", "cardholder_id": "cardholder/id",
                "encrypted_payload": "thales/encrypted_payload",
            ].mapValues { "is not known here; did you mean `/\($0)`?" }
        ) { first, _ in first })
    static let cardholder = KnownMembers(["id", "authentication"])
    static let authentication = KnownMembers(["method", "authenticated_at"])
    /// What people send who mean PassKit's scheme. The handshake tells it, and `ECC_V2` is the only one.
    private static let schemes = ["encryption_version", "encryption_scheme", "scheme"].map {
        ($0, "is not known here; the scheme is always ECC_V2, so leave it out")
    }
    static let applePay = KnownMembers(
        ["certificates", "nonce", "nonce_signature", "encoding"],
        advice: aliases.merging(schemes) { first, _ in first })
    static let googlePay = KnownMembers(["wallet_id", "device_id", "server_session_id"])
    static let client = KnownMembers(["stripe_api_version"])
    static let thales = KnownMembers(["encrypted_payload"])

    /// How nonce and signature may be encoded.
    private enum Encoding: String, CaseIterable {
        case base64, hex
    }

    /// The command that a body holds.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody, card: CardKey, receivedAt: ContinuousClock.Instant) throws(Problem)
        -> ProvisionCommand
    {
        let findings = Findings()
        let reader = body.reader(known: request, findings: findings)
        reader.require("wallet")
        let wallet: Wallet? = reader.word("wallet")
        var command = ProvisionCommand(
            card: card, wallet: wallet ?? .applePay, channel: reader.word("channel") ?? .inApp,
            origin: reader.word("origin") ?? .app, receivedAt: receivedAt)
        command.accept = reader.words("accept")
        command.plan = reader.text("plan", limit: 2048)
        command.cardholder = reader.object("cardholder", known: cardholder).map(readCardholder)
        command.applePay = reader.object("apple_pay", known: applePay).map(readApplePay)
        command.googlePay = reader.object("google_pay", known: googlePay).map { google in
            GooglePayHandshake(
                walletID: google.secret("wallet_id", limit: 1024), deviceID: google.secret("device_id", limit: 1024),
                serverSessionID: google.secret("server_session_id", limit: 4096))
        }
        command.stripeAPIVersion = reader.object("client", known: client)?.text("stripe_api_version", limit: 64)
        command.encryptedPayload = reader.object("thales", known: thales)?
            .secret("encrypted_payload", limit: 65_536, allowsLines: true)
        try findings.throwAny()
        return command
    }

    private static func readCardholder(_ reader: ObjectReader) -> ProvisionCommand.Cardholder {
        let authentication = reader.object("authentication", known: authentication)
        _ = authentication?.text("method", limit: 64)
        return ProvisionCommand.Cardholder(
            id: reader.text("id", limit: 128), authenticatedAt: authentication?.time("authenticated_at"))
    }

    private static func readApplePay(_ reader: ObjectReader) -> ProvisionCommand.ApplePay {
        let encoding: Encoding? = reader.word("encoding")
        return ProvisionCommand.ApplePay(
            certificates: readCertificates(reader), nonce: reader.secret("nonce", limit: 4096, allowsLines: true),
            nonceSignature: reader.secret("nonce_signature", limit: 8192, allowsLines: true),
            encoding: encoding?.rawValue)
    }

    private static func readCertificates(_ reader: ObjectReader) -> [SecretText]? {
        guard let value = reader.value("certificates") else { return nil }
        guard let elements = value.elements else {
            let holdsJSON = value.withUTF8 { $0.count > 0 && $0[0] == 0x5b } ?? false
            reader.refuse(
                "certificates", "wrong_type",
                holdsJSON
                    ? "is a text that holds a JSON array; send the array itself: [\"<leaf>\", \"<intermediate>\"]"
                    : "must be an array of texts: [\"<leaf>\", \"<intermediate>\"]")
            return nil
        }
        let form = TextForm(limit: 32_768, allowsLines: true, allowsEmpty: true)
        // The gateway says what is wrong with the number of them; a few more than it takes are enough for that.
        return elements.prefix(8).enumerated().compactMap { index, element in
            form.readSecret(element, at: "\(reader.pointer(to: "certificates"))/\(index)", findings: reader.findings)
        }
    }
}
