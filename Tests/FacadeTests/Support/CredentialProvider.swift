import Provisioning
import SecretMemory
import Synchronization

/// A provider whose SDK needs credentials: each is another one.
final class CredentialProvider: WalletCredentials {
    static let descriptor = ProviderDescriptor(
        id: "sdk", displayName: "SDK", cardIDPattern: .prefixed(["card_"], .alphanumeric, length: 1...40),
        tokenFeed: .none,
        wallets: [
            WalletSupport(
                wallet: .applePay, channel: .inApp, handoff: .d1Authorization, handshake: .none, repeatRule: .once,
                isSingleUse: true)
        ])

    static let credentialPurposes: Set<WalletCredentialPurpose> = [.state, .activate]

    private let requests = Mutex<[WalletCredentialRequest]>([])
    private let failure = Mutex<ProvisioningError?>(nil)

    /// What it was asked, in order.
    var asked: [WalletCredentialRequest] { requests.withLock { $0 } }

    /// Makes every call fail; nil makes them succeed.
    func fail(with error: ProvisioningError?) { failure.withLock { $0 = error } }

    func credential(_ request: WalletCredentialRequest) async throws(ProvisioningError) -> WalletCredential {
        let count = requests.withLock { requests in
            requests.append(request)
            return requests.count
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return WalletCredential(
            purpose: request.purpose, token: SecretText("canary-token-\(count)"),
            expiresAt: Timestamp(milliseconds: 1_769_855_430_456))
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
