public import Provisioning

/// An id that may stand in a URL's path: it has matched a pattern, and is percent-encoded.
public struct PathSegment: Sendable, Hashable, CustomStringConvertible {
    /// The segment as it stands in the URL.
    public let description: String

    /// Nil unless the whole of `id` matches.
    public init?(_ id: String, matching pattern: IdentifierPattern) {
        guard pattern.matches(id) else { return nil }
        description = PercentEncoding.encode(id)
    }
}

extension ProviderDescriptor {
    /// The card's id as a segment of a URL's path.
    ///
    /// - Throws: `provider_card_not_found`, nothing sent, where the id is not of the processor's form.
    public func pathSegment(for card: CardBinding) throws(ProvisioningError) -> PathSegment {
        guard let segment = PathSegment(card.providerCardID, matching: cardIDPattern) else {
            throw ProvisioningError(
                .providerCardNotFound, outcome: .notSent, detail: "The card's id is not of the processor's form.")
        }
        return segment
    }
}
