import Foundation

/// The standard normal distribution.
enum NormalDistribution {
    /// The density at `x`.
    static func density(_ x: Double) -> Double { exp(-x * x / 2) / (2 * Double.pi).squareRoot() }

    /// The probability of more than `x`.
    static func upperTail(_ x: Double) -> Double { erfc(x / 2.0.squareRoot()) / 2 }
}
