public import Provisioning

extension CheckoutProvider: DigitizationVocabulary {
    /// What `getDigitizationState` of Checkout.com's SDK answers: Android's words in capitals, then those of iOS.
    ///
    /// Android does not say on which device the cardholder must be verified: the phone is what it runs on.
    ///
    /// Upstream reference: "Verify digitization status" of
    /// <https://www.checkout.com/docs/card-issuing/manage-cards/add-a-card-to-a-digital-wallet>.
    public static let digitizationStates: [String: DigitizationState] = [
        "DIGITIZED": .digitized,
        "NOT_DIGITIZED": .notDigitized,
        "PENDING_IDV": .phoneVerificationRequired,
        "DIGITIZATION_IN_PROGRESS": .inProgress,
        "digitized": .digitized,
        "notDigitized": .notDigitized,
        "pendingIDVLocal": .phoneVerificationRequired,
        "pendingIDVRemote": .watchVerificationRequired,
    ]
}
