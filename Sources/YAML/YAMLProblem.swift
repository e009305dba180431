/// Something wrong with a document. It quotes keys, and never a value.
public struct YAMLProblem: Sendable, Hashable, CustomStringConvertible {
    /// Where it is.
    public let position: YAMLPosition
    /// The keys that lead there, such as `connections.acme.keys[0]`; empty at the top.
    public let keyPath: String
    /// What is wrong and what would be right, in a plain sentence.
    public let message: String

    /// Makes a problem of its members.
    public init(at position: YAMLPosition, keyPath: String, _ message: String) {
        self.position = position
        self.keyPath = keyPath
        self.message = message
    }

    /// One line for a terminal.
    public var description: String { "line \(position.line), column \(position.column): \(message)" }
}
