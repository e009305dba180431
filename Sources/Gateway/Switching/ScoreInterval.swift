public import Storage

/// Between which shares a rate lies, as far as its sample tells: Wilson's score interval, which holds at 0 and 1 too.
public struct ScoreInterval: Sendable, Equatable {
    /// Of 100 intervals, 95 hold the rate that they are about.
    private static let quantile = 1.959963984540054

    /// The lower end, 0 to 1.
    public let low: Double
    /// The upper end, 0 to 1.
    public let high: Double

    /// The interval of the share that succeeded; nil where nothing was observed.
    public init?(_ tally: StageTally) {
        guard tally.observed > 0 else { return nil }
        let count = Double(tally.observed)
        let rate = Double(tally.succeeded) / count
        let square = Self.quantile * Self.quantile
        let middle = (rate + square / (2 * count)) / (1 + square / count)
        let half =
            Self.quantile * (rate * (1 - rate) / count + square / (4 * count * count)).squareRoot()
            / (1 + square / count)
        low = max(middle - half, 0)
        high = min(middle + half, 1)
    }
}
