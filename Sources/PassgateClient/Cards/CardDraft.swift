public import PassgateContract

/// A card to be registered or changed. Nil members stay as they are.
public struct CardDraft: Codable, Hashable, Sendable {
    /// Where it is at a processor: needed when it is new.
    public var binding: BindingDraft?
    /// Whose it is: needed when it is new.
    public var cardholder: CardholderDraft?
    /// What it is called.
    public var title: String?
    /// Where its picture is.
    public var artURL: String?
    /// The platform's own members: texts, numbers and truth values.
    public var metadata: [String: JSONValue]?

    /// Makes it of its members.
    public init(
        binding: BindingDraft? = nil, cardholder: CardholderDraft? = nil, title: String? = nil, artURL: String? = nil,
        metadata: [String: JSONValue]? = nil
    ) {
        self.binding = binding
        self.cardholder = cardholder
        self.title = title
        self.artURL = artURL
        self.metadata = metadata
    }

    enum CodingKeys: String, CodingKey {
        case binding, cardholder, title, metadata
        case artURL = "art_url"
    }
}
