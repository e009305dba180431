import ProviderKit
import Provisioning
import SecretMemory

extension WrongProvider: TokenLifecycle {
    static let tokenIDPattern = IdentifierPattern.prefixed(["tok_"], .alphanumeric, length: 1...20)

    func token(_ id: String, of card: CardBinding, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> TokenSighting
    {
        guard fault == .trustsTokenIDs || Self.tokenIDPattern.matches(id) else {
            throw ProvisioningError(.tokenNotFound, outcome: .notSent)
        }
        do throws(ProvisioningError) {
            _ = try await call(.get, "/tokens/\(id)", deadline)
        } catch {
            if fault == .losesTokenFailures { throw ProvisioningError(.tokenNotFound, outcome: .refused) }
            if fault == .repeatsTokenCalls { _ = try await call(.get, "/tokens/\(id)", deadline) }
            throw error
        }
        return TokenSighting(
            id: id, status: .active, rawStatus: "active", wallet: .googlePay, createdAt: nil, precisionMilliseconds: 1)
    }

    func change(
        _ token: String, of card: CardBinding, by change: TokenChange, idempotencyKey: String,
        deadline: ContinuousClock.Instant
    ) async throws(ProvisioningError) -> TokenSighting {
        try await self.token(token, of: card, deadline: deadline)
    }
}

extension WrongProvider: WebhookSource {
    func verify(_ delivery: WebhookDelivery) throws(WebhookRefusal) -> WebhookReceipt {
        guard fault == .believesEveryDelivery else { throw .noMatch }
        return WebhookReceipt(key: "1", word: nil, use: .keep)
    }

    func notice(in body: SecretBytes, deadline: ContinuousClock.Instant) async throws(ProvisioningError)
        -> WebhookNotice
    {
        WebhookNotice()
    }
}
