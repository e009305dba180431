public import SecretMemory

/// Reads JSON. The gateway gives adapters a fast one; tests may bring their own.
public protocol JSONParsing: Sendable {
    /// Parses one whole JSON text in UTF-8.
    ///
    /// - Throws: ``JSONFault``, which never quotes the text.
    func parse(_ bytes: SecretBytes) throws(JSONFault) -> JSONDocument
}

/// Why a text is not JSON that can be read.
public enum JSONFault: String, Error, Sendable {
    /// Not JSON, not UTF-8, or more than one value.
    case malformed
    /// Nested deeper than the parser's bound.
    case tooDeep = "too_deep"
    /// Larger than the parser's bound.
    case tooLarge = "too_large"
}
