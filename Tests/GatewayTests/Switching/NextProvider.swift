import ProviderKit
import Provisioning
import SecretMemory
import Synchronization

@testable import Gateway

/// The processor that a program moves to: it has another handoff, and one that may be asked for again.
final class NextProvider: ProvisioningProvider {
    static let descriptor = ProviderDescriptor(
        id: "next", displayName: "Next", cardIDPattern: .prefixed(["ic_"], .alphanumeric, length: 1...32),
        tokenFeed: .none,
        wallets: [
            WalletSupport(
                wallet: .applePay, channel: .inApp, handoff: .stripeEphemeralKey, handshake: .none, repeatRule: .once,
                isSingleUse: false)
        ])

    private struct State {
        var failures: [ProvisioningError] = []
        var requests: [ProvisioningRequest] = []
    }
    private let state = Mutex(State())

    var requests: [ProvisioningRequest] { state.withLock { $0.requests } }

    func fail(with failures: ProvisioningError...) { state.withLock { $0.failures = failures } }

    /// The connection `next_main`.
    var connection: Connection {
        Connection(name: "next_main", environment: .test, descriptor: Self.descriptor, provider: self)
    }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        let failure = state.withLock { state in
            state.requests.append(request)
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        if let failure { throw failure }
        return .stripeEphemeralKey(
            StripeEphemeralKey(
                ephemeralKey: SecretBytes(utf8: "{}"), apiVersion: "2020-08-27",
                providerCardID: request.card.providerCardID, expiresAt: nil))
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        Eligibility(eligible: true)
    }
}
