public import Provisioning

/// Tells the time of day. A parameter everywhere, so that tests move it.
public protocol WallClock: Sendable {
    /// The moment now.
    var now: Timestamp { get }
}
