import Provisioning

/// What the app's button should do, and why.
public struct WalletButton: Sendable {
    /// What a tap does.
    public var action: ButtonAction
    /// The device it is about; nil where the button is hidden.
    public var target: ButtonTarget?
    /// Why, as a word: one of ``ButtonReason``, or the processor's own for a card that is not eligible.
    public var reason: String
    /// What it was decided by.
    public var facts: ButtonFacts

    /// Decides by the facts.
    public init(facts: ButtonFacts) {
        let verdict = ButtonDecision.verdict(on: facts)
        action = verdict.action
        target = verdict.target
        let own = verdict.reason == .cardIneligible ? facts.eligibility.reason : nil
        reason = own ?? verdict.reason.rawValue
        self.facts = facts
    }
}
