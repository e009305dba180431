import Provisioning
import SecretMemory
import Synchronization

/// A provider with tokens `t1` to `t3` of every card, and with webhooks whose signature is the word `yes`.
final class TokenProvider: TokenLifecycle, WebhookSource {
    static let descriptor = ProviderDescriptor(
        id: "tokens", displayName: "Tokens", cardIDPattern: .prefixed(["card_"], .alphanumeric, length: 1...40),
        tokenFeed: .list, wallets: ScriptedProvider.descriptor.wallets)
    static let tokenIDPattern = IdentifierPattern.prefixed(["t"], .alphanumeric, length: 1...9)

    private let statuses = Mutex<[String: TokenStatus]>([:])
    private let calls = Mutex<[String]>([])

    /// What it was asked, in order.
    var asked: [String] { calls.withLock { $0 } }

    func tokens(of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        calls.withLock { $0.append("list") }
        return (1...3).map { sighting("t\($0)", of: card) }
    }

    func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
    {
        calls.withLock { $0.append("read \(id)") }
        return sighting(id, of: card)
    }

    func change(
        _ token: String, of card: CardBinding, by change: TokenChange, idempotencyKey: String,
        deadline: ContinuousClock.Instant
    ) async throws(ProvisioningError) -> TokenSighting {
        calls.withLock { $0.append("\(change.rawValue) \(token)") }
        let asked: [TokenChange: TokenStatus] = [.suspend: .suspended, .resume: .active, .delete: .deleted]
        statuses.withLock { $0[token] = asked[change] }
        return sighting(token, of: card)
    }

    private func sighting(_ id: String, of card: CardBinding) -> TokenSighting {
        let status = statuses.withLock { $0[id] ?? (id == "t3" ? .unknown : .active) }
        return TokenSighting(
            id: id, status: status, rawStatus: status == .unknown ? "hibernating" : status.rawValue, wallet: .applePay,
            createdAt: Timestamp(seconds: 1_769_854_800), precisionMilliseconds: 1000,
            providerCardID: card.providerCardID, last4: "9341", networkReference: "DNITHE301",
            device: id == "t1" ? TokenDevice(kind: "phone", name: "Ada's \"phone\"") : nil)
    }

    func verify(_ delivery: WebhookDelivery) throws(WebhookRefusal) -> WebhookReceipt {
        guard delivery.header("signature") == "yes" else { throw .noMatch }
        return WebhookReceipt(key: delivery.body.revealText() ?? "", word: nil, use: .keep)
    }

    func notice(in body: SecretBytes, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> WebhookNotice
    {
        WebhookNotice()
    }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        throw ProvisioningError(.providerUnavailable, outcome: .notSent)
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        Eligibility(eligible: true)
    }
}
