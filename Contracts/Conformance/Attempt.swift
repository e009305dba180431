import Provisioning

/// What came of asking a provider.
enum Attempt: Sendable {
    case handoff(Handoff)
    case eligibility(Eligibility)
    case failure(ProvisioningError)

    /// Asks the stage's provider.
    static func make<Provider>(_ operation: Operation, on stage: Stage<Provider>) async -> Attempt {
        do throws(ProvisioningError) {
            switch operation {
            case .provision: return .handoff(try await stage.provider.provision(stage.request))
            case .eligibility(let wallet):
                return .eligibility(
                    try await stage.provider.eligibility(
                        of: stage.request.card, wallet: wallet, deadline: stage.request.deadline))
            }
        } catch {
            return .failure(error)
        }
    }

    /// The same with another request.
    static func make<Provider>(_ operation: Operation, of request: ProvisioningRequest, on stage: Stage<Provider>) async
        -> Attempt
    {
        await make(
            operation,
            on: Stage(
                provider: stage.provider, request: request, another: stage.another, secrets: stage.secrets,
                upstreamTexts: stage.upstreamTexts,
                sent: stage.sent, complaints: stage.complaints))
    }

    /// In a word or two; errors and handoffs are safe to print.
    var summary: String {
        switch self {
        case .handoff(let handoff): "a handoff of type \(handoff.type.rawValue)"
        case .eligibility(let eligibility):
            "eligible \(eligibility.eligible.map(String.init) ?? "null"), reason \(eligibility.reason ?? "none")"
        case .failure(let error): "\(error.code.rawValue), \(error.outcome.rawValue)"
        }
    }
}
