import Provisioning

extension CardDraft {
    /// The members that a new card needs and the draft lacks, as JSON pointers.
    var missingMembers: [String] {
        [
            binding == nil ? "/binding" : nil,
            cardholderID == nil ? "/cardholder/id" : nil,
            cardholderName == nil ? "/cardholder/name" : nil,
        ].compactMap(\.self)
    }
}

extension StoredCard {
    /// The card with the draft's members, as of the draft's time; the same card where the draft changes nothing.
    func applying(_ draft: CardDraft) -> StoredCard {
        var card = self
        card.cardholderID = draft.cardholderID ?? cardholderID
        card.cardholderName = draft.cardholderName ?? cardholderName
        card.title = draft.title ?? title
        card.artURL = draft.artURL ?? artURL
        card.metadata = draft.metadata ?? metadata
        if card != self { card.updatedAt = max(updatedAt, draft.at) }
        return card
    }

    /// Whether a binding is one that the card has: active, standby, retired, or under a former id.
    func has(_ binding: CardBinding) -> Bool { bindings.contains { $0.isSame(as: binding) } }
}

extension StoredBinding {
    /// Whether a binding that a caller names is this one.
    ///
    /// The connection and the processor's card id say which card is meant; every other member that is given must be as
    /// it is kept, so that a difference is reported and neither stored nor dropped without a word. Of a former id
    /// nothing else is kept, so nothing else is compared.
    func isSame(as named: CardBinding) -> Bool {
        guard named.connection == card.connection else { return false }
        if formerIDs.contains(named.providerCardID) { return true }
        return named.providerCardID == card.providerCardID && named.last4 == card.last4 && named.network == card.network
            && (named.providerCardholderID == nil || named.providerCardholderID == card.providerCardholderID)
            && (named.productID == nil || named.productID == card.productID)
    }
}
