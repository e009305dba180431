extension Passgate {
    /// Lists a card's tokens, as its processors say that they stand.
    public func tokens(
        of card: String, page: PageRequest = .first, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Page<Token> {
        try await send(.get("v1", "cards", card, "tokens", query: page.query), options)
    }

    /// Reads a token.
    public func token(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) -> Token {
        try await send(.get("v1", "tokens", id), options)
    }

    /// Has the processor make a token unusable for now. The state is the processor's answer.
    public func suspendToken(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) -> Token {
        try await send(.post("v1", "tokens", id, "suspend"), options)
    }

    /// Has the processor lift the suspension. Another party's may stay: the state is the processor's answer.
    public func resumeToken(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) -> Token {
        try await send(.post("v1", "tokens", id, "resume"), options)
    }

    /// Has the processor remove a token for good.
    public func deleteToken(_ id: String, _ options: CallOptions = .standard) async throws(PassgateError) -> Token {
        try await send(.post("v1", "tokens", id, "delete"), options)
    }
}
