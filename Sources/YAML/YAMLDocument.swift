public import SecretMemory

/// A YAML text, read into a tree.
///
/// It is the part of YAML that a configuration needs: texts, lists and mappings in one document. Anchors, aliases, tags
/// and merge keys are refused, so nothing in a document can grow. Every problem is found in one reading, unless the
/// syntax itself breaks; then what follows is not looked at.
public struct YAMLDocument: Sendable {
    /// What a document may be.
    public struct Limits: Sendable {
        /// How many bytes it may have.
        public var bytes = 1_048_576
        /// How deep lists and mappings may be nested.
        public var depth = 32

        /// The stated defaults.
        public init() {}
    }

    /// The tree; nil where there is none: the text is empty, or its syntax is broken.
    public let root: YAMLNode?
    /// What is wrong, in the order of the text.
    public let problems: [YAMLProblem]

    /// Reads the text, which must be UTF-8.
    public init(_ text: SecretBytes, limits: Limits = Limits()) {
        guard text.count <= limits.bytes else {
            root = nil
            problems = [
                YAMLProblem(
                    at: YAMLPosition(line: 1, column: 1), keyPath: "", "is larger than \(limits.bytes) bytes")
            ]
            return
        }
        var builder = YAMLTreeBuilder(depthLimit: limits.depth)
        YAMLEventReader.read(text) { event in builder.take(event) }
        root = builder.isBroken ? nil : builder.root
        problems = builder.problems
    }
}
