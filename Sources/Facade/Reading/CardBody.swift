import Gateway
import ProviderKit
import Provisioning
import Storage

/// Reads the body of `PUT /v1/cards/{card}`.
enum CardBody {
    private static let card = KnownMembers(["binding", "cardholder", "title", "art_url", "metadata"])
    private static let binding = KnownMembers([
        "connection", "provider_card_id", "provider_cardholder_id", "last4", "network", "product_id",
    ])
    private static let cardholder = KnownMembers(["id", "name"])

    /// The draft that a body holds.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody, key: CardKey, at now: Timestamp) throws(Problem) -> CardDraft {
        let findings = Findings()
        let reader = body.reader(known: card, findings: findings)
        let cardholder = reader.object("cardholder", known: cardholder)
        let draft = CardDraft(
            key: key, binding: reader.object("binding", known: binding).flatMap(readBinding),
            cardholderID: cardholder?.text("id", limit: 128), cardholderName: cardholder?.text("name", limit: 100),
            title: reader.text("title", limit: 64), artURL: readArtURL(reader),
            metadata: MetadataReader(findings: findings).read(reader.value("metadata"), at: "/metadata"), at: now)
        try findings.throwAny()
        return draft
    }

    private static func readBinding(_ reader: ObjectReader) -> CardBinding? {
        for name in ["connection", "provider_card_id", "last4", "network"] { reader.require(name) }
        let connection = reader.text("connection", limit: 64)
        let providerCardID = reader.text("provider_card_id", limit: 128)
        let providerCardholderID = reader.text("provider_cardholder_id", limit: 128)
        let productID = reader.text("product_id", limit: 128)
        let last4 = reader.last4("last4")
        let network = readNetwork(reader)
        guard let connection, let providerCardID, let last4, let network else { return nil }
        return CardBinding(
            connection: connection, providerCardID: providerCardID, providerCardholderID: providerCardholderID,
            last4: last4, network: network, productID: productID)
    }

    private static func readNetwork(_ reader: ObjectReader) -> CardNetwork? {
        guard let text = reader.text("network", limit: 64) else { return nil }
        if let network = CardNetwork(text) { return network }
        reader.refuse(
            "network", "invalid_form",
            "must be `visa`, `mastercard`, `amex`, `discover`, or a domestic scheme of 2 to 32 of a-z, 0-9 and _")
        return nil
    }

    private static func readArtURL(_ reader: ObjectReader) -> String? {
        guard let text = reader.text("art_url", limit: 2048) else { return nil }
        if isPlainHTTPS(text) { return text }
        reader.refuse("art_url", "invalid_form", "must be an https URL without credentials")
        return nil
    }

    /// `https://`, a host with or without a port, and visible ASCII that a URL may hold.
    private static func isPlainHTTPS(_ text: String) -> Bool {
        guard text.hasPrefix("https://") else { return false }
        let rest = text.utf8.dropFirst(8)
        let authority = rest.prefix { $0 != 0x2f && $0 != 0x3f && $0 != 0x23 }
        let isHost = authority.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x3a, 0x5b, 0x5d: true
            default: false
            }
        }
        let forbidden = Array("\"<>\\^`{|}".utf8)
        guard let first = authority.first, first != 0x3a, first != 0x2e, isHost else { return false }
        return rest.allSatisfy { (0x21...0x7e).contains($0) && !forbidden.contains($0) }
    }
}
