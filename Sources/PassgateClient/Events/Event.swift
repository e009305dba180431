/// Something that happened, normalised.
public struct Event: Codable, Hashable, Sendable {
    /// `event`
    public let object: String
    /// Its id: the same at every delivery.
    public let id: String
    /// What happened.
    public let type: EventType
    /// The program.
    public let program: String
    /// The card; nil for what is about a program.
    public let card: String?
    /// Counts the card's events, without gaps.
    public let sequence: Int
    /// When.
    public let createdAt: Moment
    /// What it tells.
    public let data: EventData

    enum CodingKeys: String, CodingKey {
        case object, id, type, program, card, sequence, data
        case createdAt = "created_at"
    }
}
