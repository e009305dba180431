import Provisioning

/// Decides what the app's button does: a function of facts, and of nothing else.
///
/// Eligibility comes first. Then each source of facts is looked up in its own table, and the action that comes first in
/// ``ButtonAction`` is done. So facts that disagree are never averaged: a device that says no hides what could be added, but
/// not what waits to be finished.
enum ButtonDecision {
    static func verdict(on facts: ButtonFacts) -> ButtonVerdict {
        switch facts.eligibility.eligible {
        case nil: return .hide(.eligibilityUnknown)
        case false?: return .hide(.cardIneligible)
        case true?: break
        }
        let verdicts = sources(of: facts.wallet).compactMap { $0(facts) }
        return verdicts.min { $0.action.precedence < $1.action.precedence } ?? .hide(.deviceUnreported)
    }

    /// The sources that say something of the wallet. Of two that ask for the same, the first gives the reason.
    private static func sources(of wallet: Wallet) -> [@Sendable (ButtonFacts) -> ButtonVerdict?] {
        switch wallet {
        case .applePay: [digitization, passes, canAdd, pairedWatch]
        case .googlePay: [digitization, tokens, canAdd]
        case .samsungPay: []
        }
    }

    @Sendable private static func digitization(_ facts: ButtonFacts) -> ButtonVerdict? {
        facts.device.digitizationState.map { _ in DigitizationTable.verdict(facts.digitization) }
    }

    @Sendable private static func passes(_ facts: ButtonFacts) -> ButtonVerdict? {
        let device = facts.device
        guard device.speaksOfPasses else { return nil }
        return PassTable.verdict(
            phone: device.localPass ?? .absent, watch: device.remotePass ?? .absent,
            watchPaired: device.watchPaired ?? false)
    }

    @Sendable private static func tokens(_ facts: ButtonFacts) -> ButtonVerdict? {
        facts.tokens.map(GoogleTokenTable.verdict)
    }

    @Sendable private static func canAdd(_ facts: ButtonFacts) -> ButtonVerdict? {
        facts.device.canAdd.map { $0 ? .show(.add, on: .phone, .deviceCanAdd) : .hide(.deviceCannotAdd) }
    }

    /// An app that speaks of the watch alone leaves out the passes that its SDK gave as nil.
    @Sendable private static func pairedWatch(_ facts: ButtonFacts) -> ButtonVerdict? {
        guard let watchPaired = facts.device.watchPaired, !facts.device.speaksOfPasses else { return nil }
        return PassTable.verdict(phone: .absent, watch: .absent, watchPaired: watchPaired)
    }
}
