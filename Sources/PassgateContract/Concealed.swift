/// A value that is never shown: printing, debugging and dumping it give a placeholder.
///
/// That is all it promises. The bytes lie in ordinary memory for as long as the value lives.
public protocol Concealed: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Concealed {
    /// A placeholder.
    public var description: String { "<\(Self.self): not shown>" }
    /// A placeholder.
    public var debugDescription: String { description }
    /// Nothing to look into.
    public var customMirror: Mirror { Mirror(self, children: [:], displayStyle: .struct) }
}
