/// A provider whose cards belong to cardholders that it knows, and that can say whose a card is.
///
/// The gateway asks when a binding is made, so that no one obtains an authorization for somebody else's card. When a
/// card's wallets are read it compares again, with what ``Eligibility/providerCardholderID`` tells: one call answers both.
public protocol CardOwnership: ProvisioningProvider {
    /// The id, at the processor, of the cardholder whose card it is.
    ///
    /// - Throws: `provider_card_not_found` where the processor does not know the card; else the normalized failure.
    func cardholderID(of card: CardBinding, deadline: ContinuousClock.Instant) async throws(ProvisioningError) -> String
}
