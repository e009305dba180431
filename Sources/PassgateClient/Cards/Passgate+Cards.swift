import Foundation

extension Passgate {
    /// Registers a card, or changes it.
    public func putCard(
        _ id: String, _ draft: CardDraft, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Card {
        try await send(.put("v1", "cards", id, body: draft), options)
    }

    /// Reads a card.
    public func card(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) -> Card {
        try await send(.get("v1", "cards", id), options)
    }

    /// Lists cards: all, or those at a connection or of a cardholder.
    public func cards(
        connection: String? = nil, cardholder: String? = nil, page: PageRequest = .first,
        _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Page<Card> {
        try await send(
            .get("v1", "cards", query: [("connection", connection), ("cardholder", cardholder)] + page.query), options)
    }

    /// Erases a card: its personal members go, its records stay under a pseudonym.
    public func eraseCard(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) {
        _ = try await answer(to: .delete("v1", "cards", id), options)
    }

    /// Gives a card a binding at a connection, or changes it.
    public func putBinding(
        of card: String, at connection: String, _ change: BindingChange, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Card {
        try await send(.put("v1", "cards", card, "bindings", connection, body: change), options)
    }

    /// Registers many cards. The lines are sent at once; for millions, `passgate cards import` reads a file.
    public func importCards(
        _ lines: [CardLine], _ options: CallOptions = .standard
    ) async throws(PassgateError) -> CardImportReport {
        var body = Data()
        for line in lines {
            body += try Call.encode(line)
            body.append(UInt8(ascii: "\n"))
        }
        var call = Call(method: .post, path: ["v1", "cards", "import"], body: body)
        call.mediaType = "application/x-ndjson"
        return try await send(call, options)
    }
}
