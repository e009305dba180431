import PassgateContract

/// The body of a provisioning: the app's wish, and what the backend knows for itself.
struct ProvisionRequest: Encodable {
    let wish: ProvisioningWish
    let cardholder: CardholderProof?
    let thales: ThalesPayload?

    func encode(to encoder: any Encoder) throws {
        try wish.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(cardholder, forKey: .cardholder)
        try container.encodeIfPresent(thales, forKey: .thales)
    }

    enum CodingKeys: String, CodingKey {
        case cardholder, thales
    }
}
