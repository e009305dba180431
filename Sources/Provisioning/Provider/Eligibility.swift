/// Whether a card can be added to a wallet, and what a wallet extension shows of it.
public struct Eligibility: Sendable, Equatable {
    /// The answer; nil where an upstream was asked and gave none.
    public var eligible: Bool?
    /// Why not, as a word: the processor's own where it is well formed, else ours.
    public var reason: String?
    /// PassKit's primary account identifier. Never cached: it changes with the first provisioning.
    public var primaryAccountIdentifier: String?
    /// What adding the card by hand would need.
    public var manualProvisioning: ManualProvisioning

    /// Makes an answer of its members.
    public init(
        eligible: Bool?, reason: String? = nil, primaryAccountIdentifier: String? = nil,
        manualProvisioning: ManualProvisioning = ManualProvisioning(available: nil)
    ) {
        self.eligible = eligible
        self.reason = reason
        self.primaryAccountIdentifier = primaryAccountIdentifier
        self.manualProvisioning = manualProvisioning
    }
}
