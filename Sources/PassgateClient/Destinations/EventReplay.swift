/// What a replay came to.
public struct EventReplay: Codable, Hashable, Sendable {
    /// `event_replay`
    public let object: String
    /// The destination.
    public let destination: String
    /// How many events were queued.
    public let queued: Int
    /// Where the rest begins; nil where all are queued.
    public let nextEvent: String?

    enum CodingKeys: String, CodingKey {
        case object, destination, queued
        case nextEvent = "next_event"
    }
}
