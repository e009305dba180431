import Provisioning

extension StoredBinding {
    /// The binding that a draft makes of the one that the card has at the connection, where it has one.
    ///
    /// Another processor's card is a replacement: the id before it stays known, and nothing else of it is carried over.
    /// One of the former ids is taken back so.
    init(_ draft: BindingDraft, over former: StoredBinding?) {
        self.init(card: draft.binding, state: draft.state)
        guard let former else { return }
        formerIDs = former.formerIDs
        if former.card.providerCardID == card.providerCardID {
            card.providerCardholderID = card.providerCardholderID ?? former.card.providerCardholderID
            card.productID = card.productID ?? former.card.productID
        } else {
            formerIDs.removeAll { $0 == card.providerCardID }
            formerIDs.append(former.card.providerCardID)
        }
    }
}
