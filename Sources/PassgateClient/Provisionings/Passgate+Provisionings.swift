public import PassgateContract

extension Passgate {
    /// Makes the handoff for one wallet: the main job.
    ///
    /// - Parameters:
    ///   - wish: What the app sent, decoded.
    ///   - cardholder: Who asks, and how the platform made sure; nil where the program does not require it.
    ///   - thales: A card that the platform encrypted for Thales itself.
    public func provision(
        _ card: String, _ wish: ProvisioningWish, for cardholder: CardholderProof?, thales: ThalesPayload? = nil,
        _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Provisioned {
        let request = ProvisionRequest(wish: wish, cardholder: cardholder, thales: thales)
        var call = try Call.post("v1", "cards", card, "provisionings", body: request)
        call.takesDeadline = true
        let answer = try await answer(to: call, options)
        let record: ProvisioningRecord = try Self.read(answer)
        guard let handoff = HandoffPayload(in: answer.body) else {
            throw .unreadable(status: answer.status, requestID: answer.header("request-id"))
        }
        return Provisioned(record: record, handoff: handoff)
    }

    /// Reads an attempt.
    public func provisioning(
        _ id: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> ProvisioningRecord {
        try await send(.get("v1", "provisionings", id), options)
    }

    /// Lists attempts: all, or those of a card, in a status, at a processor.
    public func provisionings(
        card: String? = nil, status: ProvisioningStatus? = nil, provider: String? = nil, page: PageRequest = .first,
        _ options: CallOptions = .standard
    ) async throws(PassgateError) -> Page<ProvisioningRecord> {
        let query = [("card", card), ("status", status?.rawValue), ("provider", provider)]
        return try await send(.get("v1", "provisionings", query: query + page.query), options)
    }

    /// Tells what the device said of an attempt.
    public func reportOutcome(
        of provisioning: String, _ outcome: DeviceOutcome, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> ProvisioningRecord {
        try await send(.post("v1", "provisionings", provisioning, "outcome", body: outcome), options)
    }

    /// Reads the steps of an attempt.
    public func timeline(
        of provisioning: String, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> [TimelineStep] {
        let page: Page<TimelineStep> = try await send(
            .get("v1", "provisionings", provisioning, "timeline"), options)
        return page.data
    }

    /// Makes a short-lived credential for a processor's SDK.
    public func walletCredential(
        for card: String, _ request: CredentialRequest, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> WalletCredential {
        try await send(.post("v1", "cards", card, "wallet_credentials", body: request), options)
    }
}
