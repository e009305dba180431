import Gateway
import ProviderKit
import Provisioning
import Storage

/// Reads the body of `PUT /v1/cards/{card}`, and a line of an import.
enum CardBody {
    private static let names = ["binding", "cardholder", "title", "art_url", "metadata"]
    static let card = KnownMembers(names)
    static let line = KnownMembers(["id"] + names)
    static let cardholder = KnownMembers(["id", "name"])

    /// The draft that a body holds.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func read(_ body: RequestBody, key: CardKey, at now: Timestamp) throws(Problem) -> CardDraft {
        let findings = Findings()
        return try draft(body.reader(known: card, findings: findings), key: key, at: now)
    }

    /// The draft that a line of an import holds.
    ///
    /// - Throws: `invalid_request` with every member at fault.
    static func readLine(_ body: RequestBody, program: String, at now: Timestamp) throws(Problem) -> CardDraft {
        let findings = Findings()
        let reader = body.reader(known: line, findings: findings)
        reader.require("id")
        let id = reader.text("id", limit: 64)
        if let id, !Identifier.isWellFormed(id) {
            reader.refuse("id", "invalid_form", "must have 1 to 64 of A-Z, a-z, 0-9, _ and -")
        }
        return try draft(reader, key: CardKey(program: program, id: id ?? ""), at: now)
    }

    private static func draft(_ reader: ObjectReader, key: CardKey, at now: Timestamp) throws(Problem) -> CardDraft {
        let cardholder = reader.object("cardholder", known: cardholder)
        let draft = CardDraft(
            key: key, binding: reader.object("binding", known: BindingMembers.known).flatMap(BindingMembers.read),
            cardholderID: cardholder?.text("id", limit: 128), cardholderName: cardholder?.text("name", limit: 100),
            title: reader.text("title", limit: 64), artURL: readArtURL(reader),
            metadata: MetadataReader(findings: reader.findings).read(reader.value("metadata"), at: "/metadata"), at: now
        )
        try reader.findings.throwAny()
        return draft
    }

    private static func readArtURL(_ reader: ObjectReader) -> String? {
        guard let text = reader.text("art_url", limit: 2048) else { return nil }
        if PlainURL.isWellFormed(text) { return text }
        reader.refuse("art_url", "invalid_form", "must be an https URL without credentials")
        return nil
    }
}
