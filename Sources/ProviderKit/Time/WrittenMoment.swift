public import Provisioning

/// A moment as a processor wrote it, and how precisely.
public struct WrittenMoment: Sendable, Equatable {
    /// The moment.
    public let timestamp: Timestamp
    /// How precisely it was written, in milliseconds: 1 with a fraction of a second, 1000 without.
    public let precisionMilliseconds: Int64

    /// Nil unless the text is a moment in RFC 3339.
    public init?(rfc3339 text: String) {
        guard let timestamp = Timestamp(rfc3339: text) else { return nil }
        self.timestamp = timestamp
        precisionMilliseconds = text.utf8.contains(0x2e) ? 1 : 1000
    }

    /// Whether it may lie at the other moment or later. The other is cut to this one's precision first: a token that was
    /// made 0.4 s after a call may be dated to the second before it.
    public func isAtOrAfter(_ other: Timestamp) -> Bool {
        timestamp >= (precisionMilliseconds == 1 ? other : Timestamp(seconds: other.seconds))
    }
}
