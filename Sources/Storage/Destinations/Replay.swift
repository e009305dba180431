public import Provisioning

/// A wish to send events to a destination again, or for the first time. It enables a destination that was disabled.
public struct Replay: Sendable {
    /// Where to begin.
    public enum Start: Sendable, Equatable {
        /// With the oldest event that is kept.
        case beginning
        /// With that event.
        case event(String)
        /// With events of that time and later.
        case time(Timestamp)
    }

    /// The destination's id.
    public var destination: String
    /// Its program.
    public var program: String
    /// Where to begin.
    public var start: Start
    /// Whether only deliveries that are tried no more are meant.
    public var isForDeadOnly: Bool
    /// How many events at most.
    public var limit: Int
    /// The moment.
    public var at: Timestamp

    /// Makes a wish of its members.
    public init(
        destination: String, program: String, start: Start, isForDeadOnly: Bool, limit: Int, at: Timestamp
    ) {
        self.destination = destination
        self.program = program
        self.start = start
        self.isForDeadOnly = isForDeadOnly
        self.limit = limit
        self.at = at
    }
}

/// What came of a replay.
public enum ReplayResult: Sendable, Equatable {
    /// So many deliveries were queued. What was too much begins with `next`.
    case queued(Int, next: String?)
    /// There is no such destination.
    case unknownDestination
    /// There is no such event.
    case unknownEvent
}
