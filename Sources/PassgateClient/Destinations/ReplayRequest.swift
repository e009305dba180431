/// Which events are sent to a destination again.
public struct ReplayRequest: Codable, Hashable, Sendable {
    /// From this event on.
    public var fromEvent: String?
    /// From this time on.
    public var fromTime: Moment?
    /// Only those that are dead letters.
    public var deadLetters: Bool?

    /// From an event on.
    public static func from(event: String, onlyDead: Bool = false) -> ReplayRequest {
        ReplayRequest(fromEvent: event, fromTime: nil, deadLetters: onlyDead)
    }

    /// From a time on.
    public static func from(time: Moment, onlyDead: Bool = false) -> ReplayRequest {
        ReplayRequest(fromEvent: nil, fromTime: time, deadLetters: onlyDead)
    }

    /// All dead letters.
    public static let deadLetters = ReplayRequest(fromEvent: nil, fromTime: nil, deadLetters: true)

    enum CodingKeys: String, CodingKey {
        case fromEvent = "from_event"
        case fromTime = "from_time"
        case deadLetters = "dead_letters"
    }
}
