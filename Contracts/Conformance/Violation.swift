/// A promise that was not kept.
public struct Violation: Error, Sendable, CustomStringConvertible {
    /// What was expected, and what was found. It quotes no secret.
    public let description: String

    /// Makes a violation of its sentence.
    public init(_ description: String) { self.description = description }

    /// Throws unless the condition holds.
    static func unless(_ condition: Bool, _ description: @autoclosure () -> String) throws(Violation) {
        if !condition { throw Violation(description()) }
    }
}
