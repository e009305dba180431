/// Why what a provider says of a card's eligibility does not show that provisioning it would work.
public enum EligibilityGap: String, Sendable, CaseIterable {
    /// The processor has no such call: what the adapter says is no answer of anybody's.
    case noEligibilityCall = "no_eligibility_call"
    /// The handoff is signed by the gateway, and the processor learns of it from the device: whether it takes the
    /// gateway's keys is not known before.
    case localSigning = "local_signing"
}
