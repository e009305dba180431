import CSimdjson
public import ProviderKit
public import SecretMemory

/// Reads JSON with simdjson: the whole text is checked, and every buffer that held a part of it is wiped.
///
/// The bytes must be UTF-8 and hold exactly one value. Strings are unescaped; a surrogate without its partner is
/// refused. A whole number beyond 64 bits reads as the nearest double, a number beyond the doubles as the nearest finite
/// one. Members of the same name are all kept: see ``JSONView/duplicateMembers``.
public struct JSONParser: JSONParsing {
    private let depthLimit: Int
    private let sizeLimit: Int

    /// A parser that refuses deeper or larger texts.
    ///
    /// - Parameters:
    ///   - depthLimit: How many arrays and objects may stand inside one another.
    ///   - sizeLimit: How many bytes a text may have.
    public init(depthLimit: Int = 64, sizeLimit: Int = 1 << 20) {
        self.depthLimit = depthLimit
        self.sizeLimit = sizeLimit
    }

    /// Parses one whole JSON text.
    ///
    /// - Throws: ``JSONFault``, also ``JSONFault/malformed`` for an empty text.
    public func parse(_ bytes: SecretBytes) throws(JSONFault) -> JSONDocument {
        guard bytes.count <= sizeLimit else { throw .tooLarge }
        return try bytes.withUnsafeBytes { (buffer) throws(JSONFault) in
            guard let base = buffer.baseAddress, !buffer.isEmpty else { throw .malformed }
            defer { passgate_json_wipe() }
            var result = passgate_json_result()
            switch passgate_json_parse(
                base.assumingMemoryBound(to: UInt8.self), buffer.count, depthLimit, &result)
            {
            case PASSGATE_JSON_OK: return document(result)
            case PASSGATE_JSON_TOO_DEEP: throw .tooDeep
            case PASSGATE_JSON_OUT_OF_MEMORY: throw .tooLarge
            default: throw .malformed
            }
        }
    }

    private func document(_ result: passgate_json_result) -> JSONDocument {
        let found = UnsafeBufferPointer(start: result.nodes, count: result.node_count)
        let nodes = WipedArray(count: found.count) { index in
            let node = found[index]
            return JSONDocument.Node(
                kind: Self.kinds[Int(node.kind)], first: Int(node.first), second: Int(node.second))
        }
        let text = UnsafeBufferPointer(start: result.text, count: result.text_count)
        return JSONDocument(nodes: nodes, text: SecretBytes(copying: text))
    }

    private static let kinds: [JSONDocument.Node.Kind] = [
        .null, .boolean, .integer, .unsignedInteger, .double, .string, .array, .object,
    ]
}
