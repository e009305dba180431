/// A moment in UTC, in whole milliseconds since 1970-01-01.
public struct Timestamp: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// A moment by its milliseconds since 1970-01-01T00:00:00Z.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A moment by its whole seconds since 1970-01-01T00:00:00Z.
    public init(seconds: Int64) { milliseconds = seconds * 1000 }

    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
    public var seconds: Int64 { (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000 }

    /// The moment that many milliseconds later.
    public func adding(milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: self.milliseconds + milliseconds) }

    /// Earlier is less.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}
