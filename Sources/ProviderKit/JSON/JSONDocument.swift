public import SecretMemory

/// A parsed JSON text: a flat list of nodes over one buffer that holds every string. Both are wiped: a number may be a secret
/// too.
///
/// Whoever parses it bounds depth and size. Read it through ``root``.
public final class JSONDocument: Sendable {
    /// One value, or one member name.
    public struct Node: Sendable, BitwiseCopyable {
        /// What the node is.
        public enum Kind: UInt8, Sendable, BitwiseCopyable {
            /// `null`
            case null
            /// `true` or `false`, by `first` being 1 or 0.
            case boolean
            /// A whole number; `first` is its value.
            case integer
            /// A whole number from 2^63 to 2^64 - 1; `first` is its bit pattern.
            case unsignedInteger
            /// Any other number; `first` is its IEEE 754 bit pattern.
            case double
            /// A string, unescaped; `first` is its offset in the text, `second` its length in bytes.
            case string
            /// An array; `first` is its count. The elements follow; `second` is the index after the last.
            case array
            /// An object; `first` is its count. Names (strings) and values follow in turn; `second` as for arrays.
            case object
        }

        /// What the node is.
        public let kind: Kind
        /// By kind.
        public let first: Int
        /// By kind.
        public let second: Int

        /// Makes a node of its members.
        public init(kind: Kind, first: Int, second: Int) {
            self.kind = kind
            self.first = first
            self.second = second
        }
    }

    let nodes: WipedArray<Node>
    let text: SecretBytes

    /// Makes a document of its nodes, the root first, and the bytes of its strings.
    public init(nodes: WipedArray<Node>, text: SecretBytes) {
        self.nodes = nodes
        self.text = text
    }

    /// The whole document as a value.
    public var root: JSONView { JSONView(document: self, index: 0) }
}
