import Provisioning

/// What the state that a vendor's SDK tells makes of the button.
enum DigitizationTable {
    static let rows: [DigitizationState: ButtonVerdict] = [
        .digitized: .hide(.digitized),
        .notDigitized: .show(.add, on: .phone, .notDigitized),
        .phoneVerificationRequired: .show(.resumeVerification, on: .phone, .verificationPending),
        .watchVerificationRequired: .show(.resumeVerification, on: .watch, .verificationPending),
        .inProgress: .hide(.digitizationInProgress),
    ]
    /// A word that nobody knows may mean that the card is there.
    static let otherwise = ButtonVerdict.hide(.digitizationStateUnknown)

    /// - Parameter state: Nil where the SDK's word is not known.
    static func verdict(_ state: DigitizationState?) -> ButtonVerdict { state.flatMap { rows[$0] } ?? otherwise }
}
