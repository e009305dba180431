/// What a vendor's SDK says of a card in the device's wallets: one vocabulary for the words of every SDK.
public enum DigitizationState: Sendable, Hashable, CaseIterable {
    /// On every device that it can be on.
    case digitized
    /// On none of them, or not on all.
    case notDigitized
    /// On the phone, where the cardholder must be verified first.
    case phoneVerificationRequired
    /// On the watch, where the cardholder must be verified first.
    case watchVerificationRequired
    /// On its way.
    case inProgress
}
