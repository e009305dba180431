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
    /// Whose card it is, by the cardholder's id at the processor. A provider with ``CardOwnership`` always tells it: the
    /// gateway lets no card pass that has changed hands.
    public var providerCardholderID: String?

    /// Makes an answer of its members.
    public init(
        eligible: Bool?, reason: String? = nil, primaryAccountIdentifier: String? = nil,
        manualProvisioning: ManualProvisioning = ManualProvisioning(available: nil), providerCardholderID: String? = nil
    ) {
        self.eligible = eligible
        self.reason = reason
        self.primaryAccountIdentifier = primaryAccountIdentifier
        self.manualProvisioning = manualProvisioning
        self.providerCardholderID = providerCardholderID
    }
}
