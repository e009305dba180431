import Provisioning
import Synchronization

/// What a scripted processor says of tokens, and what it was asked.
final class ScriptedTokens: Sendable {
    /// A question for a card's tokens.
    struct Question: Sendable, Equatable {
        let card: CardBinding
        let createdFrom: Timestamp
    }

    private struct State {
        var answer: Result<[TokenSighting], ProvisioningError> = .success([])
        var questions: [Question] = []
    }
    private let state = Mutex(State())

    var questions: [Question] { state.withLock { $0.questions } }

    func answer(_ tokens: TokenSighting...) { state.withLock { $0.answer = .success(tokens) } }

    func fail(with error: ProvisioningError) { state.withLock { $0.answer = .failure(error) } }

    func ask(_ question: Question) throws(ProvisioningError) -> [TokenSighting] {
        try state.withLock { state in
            state.questions.append(question)
            return state.answer
        }.get()
    }
}

extension ScriptedProvider: OutcomeProbe {
    func tokens(of card: CardBinding, createdFrom: Timestamp, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> [TokenSighting]
    {
        try tokens.ask(ScriptedTokens.Question(card: card, createdFrom: createdFrom))
    }
}

extension TokenSighting {
    /// An Apple Pay token that was made at that moment.
    static func made(at moment: Timestamp, _ status: TokenStatus = .active, id: String = "token_1") -> TokenSighting {
        TokenSighting(
            id: id, status: status, rawStatus: status.rawValue, wallet: .applePay,
            createdAt: Timestamp(seconds: moment.seconds), precisionMilliseconds: 1000)
    }
}

/// A provider that tells nothing of tokens: the scripted one, without its probe.
struct MuteProvider: ProvisioningProvider {
    static let descriptor = ScriptedProvider.descriptor
    let scripted: ScriptedProvider

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        try await scripted.provision(request)
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        try await scripted.eligibility(of: card, wallet: wallet, deadline: deadline)
    }
}
