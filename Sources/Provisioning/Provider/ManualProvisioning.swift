/// Whether a cardholder who types the card into the wallet could be verified.
public struct ManualProvisioning: Sendable, Equatable {
    /// Whether the processor has all it needs; nil where that is not known.
    public var available: Bool?
    /// What is missing at the processor, such as `phone` or `email`.
    public var missing: [String]

    /// Makes an answer of its members.
    public init(available: Bool?, missing: [String] = []) {
        self.available = available
        self.missing = missing
    }
}
