public import SecretMemory

/// A value of a YAML document, and where it stands.
public struct YAMLNode: Sendable {
    /// What a node holds.
    public enum Content: Sendable {
        /// A text, exactly as written: `yes` and `0123` are texts too.
        case scalar(SecretText, YAMLScalarStyle)
        /// A list.
        case sequence([YAMLNode])
        /// A mapping, in the order written. No key comes twice.
        case mapping([YAMLMember])
        /// Something that a problem was reported about already.
        case refused
    }

    /// What it holds.
    public let content: Content
    /// Where it begins.
    public let position: YAMLPosition

    /// Makes a node of its members.
    public init(_ content: Content, at position: YAMLPosition) {
        self.content = content
        self.position = position
    }
}

/// How a text was written.
public enum YAMLScalarStyle: Sendable, Equatable {
    /// Without quotes. Only such a text may stand for nothing, a number or a truth value.
    case plain
    /// In quotes, or as a block.
    case quoted
}

/// One member of a mapping.
public struct YAMLMember: Sendable {
    /// The key. Keys are no secrets.
    public let key: String
    /// Where the key begins.
    public let position: YAMLPosition
    /// The value.
    public let value: YAMLNode

    /// Makes a member of its parts.
    public init(key: String, at position: YAMLPosition, value: YAMLNode) {
        self.key = key
        self.position = position
        self.value = value
    }
}

/// A place in a document. Both numbers begin at 1, as editors show them.
public struct YAMLPosition: Sendable, Hashable {
    /// The line.
    public let line: Int
    /// The character within the line.
    public let column: Int

    /// Makes a place of its numbers.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}
