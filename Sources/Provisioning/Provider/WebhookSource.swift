public import SecretMemory

/// A provider that sends webhooks about tokens.
public protocol WebhookSource: ProvisioningProvider {
    /// Verifies a delivery on its raw bytes, under every secret of the connection, in constant time. Makes no call.
    ///
    /// - Throws: Why the delivery is not believed.
    func verify(_ delivery: WebhookDelivery) throws(WebhookRefusal) -> WebhookReceipt

    /// What a verified delivery tells before it is read. Makes no call.
    ///
    /// - Parameter body: The body as it was verified.
    func outline(of body: SecretBytes) -> WebhookOutline

    /// What a verified delivery says. Where a processor's webhooks only name what changed, this asks for it.
    ///
    /// - Parameter body: The body as it was verified.
    /// - Throws: `token_not_found`, where the processor had to be asked and does not know what its webhook names: it may
    ///   know it soon. The normalized failure, where it gave no answer.
    func notice(in body: SecretBytes, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> WebhookNotice
}

extension WebhookSource {
    /// Nothing: it is read in any order, with a call.
    public func outline(of body: SecretBytes) -> WebhookOutline { WebhookOutline() }
}
