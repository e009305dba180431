import Provisioning

extension AuditChain {
    /// What the trail keeps of a card: what is personal, and the processors' ids, as keyed digests.
    func members(of card: StoredCard) -> [AuditMember] {
        let program = card.key.program
        var members: [AuditMember] = []
        func personal(_ name: String, _ value: String?) {
            if let value { members.append(self.personal(name, value, program: program)) }
        }
        func plain(_ name: String, _ value: String?) {
            if let value { members.append(AuditMember(name: name, value: value, isDigest: false)) }
        }
        personal("cardholder_id", card.cardholderID)
        personal("cardholder_name", card.cardholderName)
        personal("title", card.title)
        personal("art_url", card.artURL)
        personal("metadata", card.metadata)
        for binding in card.bindings {
            let path = "binding/\(binding.card.connection)"
            plain("\(path)/state", binding.state.rawValue)
            personal("\(path)/provider_card_id", binding.card.providerCardID)
            personal("\(path)/provider_cardholder_id", binding.card.providerCardholderID)
            personal("\(path)/last4", binding.card.last4)
            plain("\(path)/network", binding.card.network.description)
            plain("\(path)/product_id", binding.card.productID)
        }
        return members
    }
}
