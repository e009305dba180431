public import ProviderConformance
public import Sandbox

extension ThalesEmulator {
    /// By a card's id where a card is to blame, else in the vault's words. Eligibility asks nobody, and so has none.
    public func staging(of situation: Situation, for operation: Operation) -> Staging? {
        guard exchanges(for: operation) > 0 else { return situation == .cardExists ? Staging(demoCard) : nil }
        return switch situation {
        case .cardExists: Staging(demoCard)
        case .cardMissing: Staging(Self.card(MagicCard.missing.id))
        case .credentialsRejected: Staging(demoCard, answering: VaultAnswer.unauthorized)
        case .permissionDenied: Staging(Self.card(MagicCard.forbidden.id))
        case .rateLimited: Staging(Self.card(MagicCard.ratelimited.id))
        case .refusalUnheardOf: Staging(Self.card(MagicCard.unheard.id))
        case .failureUnheardOf: Staging(Self.card(MagicCard.error.id))
        default: nil
        }
    }

    /// A provisioning reads the vault once; eligibility asks nobody.
    public func exchanges(for operation: Operation) -> Int {
        if case .provision = operation { 1 } else { 0 }
    }
}
