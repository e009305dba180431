/// Something did not hold of an input.
public struct BrokenPromise: Error, Sendable, CustomStringConvertible {
    /// What did not.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// Throws unless the promise holds.
func promise(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenPromise) {
    if !holds { throw BrokenPromise(description()) }
}
