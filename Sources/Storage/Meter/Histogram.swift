/// How many values lay between which bounds, as operators' tools want it.
public struct Histogram: Sendable, Equatable {
    /// The upper bounds of the buckets, each greater than the one before.
    public let bounds: [Double]
    /// How many values were no greater than the bound at the same place, and greater than the one before.
    public private(set) var buckets: [Int]
    /// How many values there were.
    public private(set) var count = 0
    /// Their sum.
    public private(set) var sum = 0.0

    /// No values yet.
    public init(bounds: [Double]) {
        self.bounds = bounds
        buckets = [Int](repeating: 0, count: bounds.count)
    }

    /// Adds a value.
    public mutating func observe(_ value: Double) {
        count += 1
        sum += value
        if let bucket = bounds.firstIndex(where: { value <= $0 }) { buckets[bucket] += 1 }
    }

    /// Adds a duration, in seconds.
    public mutating func observe(_ duration: Duration) { observe(duration / .seconds(1)) }
}
