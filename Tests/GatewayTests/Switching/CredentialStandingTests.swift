import Provisioning
import Testing

@testable import Gateway

@Suite("Whether a connection's credentials are taken is asked before a migration is opened")
struct CredentialStandingTests {
    @Test(
        arguments: [
            (nil, CredentialStanding.taken), (.providerUnauthorized, .refused), (.providerTimeout, .notKnown),
            (.providerUnavailable, .notKnown), (.providerRejected, .notKnown),
        ] as [(ProblemCode?, CredentialStanding)])
    func whatTheProcessorSaysIsTold(_ code: ProblemCode?, _ standing: CredentialStanding) async {
        #expect(await CredentialStanding(of: AskedProvider(refusal: code)) == standing)
    }

    @Test func whoCannotAskIsNotAsked() async {
        let provider = AskedProvider(refusal: .internalError, credentialQuestion: nil)
        #expect(await CredentialStanding(of: provider) == .notKnown)
    }
}

/// A provider that answers nothing but the question for its credentials.
private struct AskedProvider: CredentialCheck {
    static let descriptor = ProviderDescriptor(
        id: "asked", displayName: "Asked", cardIDPattern: .uuid, tokenFeed: .none, wallets: [])

    let refusal: ProblemCode?
    var credentialQuestion: CredentialQuestion? = CredentialQuestion("nothing")

    func checkCredentials(deadline: ContinuousClock.Instant) async throws(ProvisioningError) {
        if let refusal { throw ProvisioningError(refusal, outcome: .refused) }
    }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        throw ProvisioningError(.walletUnsupported, outcome: .notSent)
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        throw ProvisioningError(.walletUnsupported, outcome: .notSent)
    }
}
