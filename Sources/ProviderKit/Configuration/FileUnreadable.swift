/// A file that the configuration names cannot be read.
public struct FileUnreadable: Error, Sendable, CustomStringConvertible {
    /// Why, in a plain sentence that names the path but quotes no contents.
    public let description: String

    /// Makes a failure of its sentence.
    public init(_ description: String) { self.description = description }
}
