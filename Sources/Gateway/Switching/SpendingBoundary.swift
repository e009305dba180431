/// At which level each of many looks at growing samples may be decided, so that all of them together err no more often
/// than one test would: error spending after Lan and DeMets (Biometrika 70, 1983).
///
/// What looks have in common is reckoned with: scores of growing samples move like a Brownian motion, and the density of
/// those that have not yet tripped is carried from look to look (Armitage, McPherson and Rowe, 1969). Adding the levels
/// up instead, as 6 α ⁄ π² k² would, wastes most of them on looks that see nearly the same: of 2 % failures that became
/// 10 %, up to a fifth were then not found within 500 attempts, and here it is less than a hundredth.
struct SpendingBoundary: Sendable {
    /// Points of the density; odd, for Simpson's rule.
    private static let points = 101
    /// How far below the mean the density is followed, in standard deviations.
    private static let reach = 6.0

    private let spending: @Sendable (Double) -> Double
    private var spent = 0.0
    private var information = 0.0
    private var nodes: [Double] = []
    /// The density at each node, with its weight in the sum.
    private var masses: [Double] = []

    /// Makes a boundary that has spent nothing.
    ///
    /// - Parameter spending: How much of the error may be spent in all by the time that there is so much information.
    init(spending: @escaping @Sendable (Double) -> Double) { self.spending = spending }

    /// The level of the next look: it trips where so large a score, or a larger one, is less probable than this.
    ///
    /// - Parameter information: The inverse variance of the difference, up to a factor; more than at the look before.
    mutating func next(at information: Double) -> Double {
        let budget = max(spending(information) - spent, 0)
        spent += budget
        let deviation = information.squareRoot()
        let step = (information - self.information).squareRoot()
        let (nodes, masses) = (nodes, masses)
        let isFirst = nodes.isEmpty
        func tail(above bound: Double) -> Double {
            if isFirst { return NormalDistribution.upperTail(bound / step) }
            return zip(nodes, masses).reduce(0) {
                $0 + $1.1 * NormalDistribution.upperTail((bound - $1.0) / step)
            }
        }
        var (low, high) = (0.0, 10 * deviation)
        for _ in 0..<44 {
            let middle = (low + high) / 2
            if tail(above: middle) > budget { low = middle } else { high = middle }
        }
        let start = -Self.reach * deviation
        let width = (high - start) / Double(Self.points - 1)
        let next = (0..<Self.points).map { start + Double($0) * width }
        self.masses = next.enumerated().map { index, node in
            let density =
                isFirst
                ? NormalDistribution.density(node / step)
                : zip(nodes, masses).reduce(0) { $0 + $1.1 * NormalDistribution.density((node - $1.0) / step) }
            let isEnd = index == 0 || index == Self.points - 1
            let weight = (isEnd ? 1 : index.isMultiple(of: 2) ? 2 : 4) * width / 3
            return density / step * weight
        }
        self.nodes = next
        self.information = information
        return NormalDistribution.upperTail(high / deviation)
    }
}
