import Provisioning
import SecretMemory
import Synchronization

/// A provider that does what a test says, and remembers what it was asked.
final class ScriptedProvider: ProvisioningProvider {
    static let descriptor = ProviderDescriptor(
        id: "scripted", displayName: "Scripted", cardIDPattern: .prefixed(["card_"], .alphanumeric, length: 1...40),
        tokenFeed: .none,
        wallets: [
            WalletSupport(
                wallet: .applePay, channel: .inApp, handoff: .applePayPass, handshake: .applePay, repeatRule: .never,
                isSingleUse: true),
            WalletSupport(
                wallet: .googlePay, channel: .inApp, handoff: .googlePayOpaqueCard, handshake: .googlePayDevice,
                repeatRule: .onceWithoutSession, isSingleUse: false),
        ])

    private let requests = Mutex<[ProvisioningRequest]>([])
    private let failure = Mutex<ProvisioningError?>(nil)

    /// What it was asked, in order.
    var asked: [ProvisioningRequest] { requests.withLock { $0 } }

    /// Makes every call fail; nil makes them succeed.
    func fail(with error: ProvisioningError?) { failure.withLock { $0 = error } }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        requests.withLock { $0.append(request) }
        if let error = failure.withLock({ $0 }) { throw error }
        return .googlePayOpaqueCard(
            GooglePayOpaqueCard(
                tokenCard: SecretText("opaque+/="), accountCard: nil, network: .number(4), tokenServiceProvider: nil,
                last4: request.card.last4, displayName: request.displayName))
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        if let error = failure.withLock({ $0 }) { throw error }
        return Eligibility(eligible: true, manualProvisioning: ManualProvisioning(available: false, missing: ["phone"]))
    }
}
