internal import CSimdjson
public import ProviderKit
public import SecretMemory

/// Reads JSON with simdjson's DOM parser, which validates every byte.
///
/// Its buffers are wiped after each text. A whole number beyond 64 bits is read as the nearest double.
public struct JSONParser: JSONParsing {
    private let depthLimit: Int
    private let sizeLimit: Int

    /// A parser that refuses deeper or larger texts.
    ///
    /// - Parameters:
    ///   - depthLimit: How deep values may be nested.
    ///   - sizeLimit: How many bytes a text may have.
    public init(depthLimit: Int = 64, sizeLimit: Int = 1 << 20) {
        self.depthLimit = depthLimit
        self.sizeLimit = sizeLimit
    }

    /// Parses one whole JSON text in UTF-8.
    ///
    /// - Throws: ``ProviderKit/JSONFault``, which never quotes the text.
    public func parse(_ bytes: SecretBytes) throws(JSONFault) -> JSONDocument {
        var document = passgate_json_document()
        let code = bytes.withUnsafeBytes { buffer in
            passgate_json_parse(
                buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count, depthLimit, sizeLimit, &document)
        }
        switch code {
        case PASSGATE_JSON_OK: break
        case PASSGATE_JSON_TOO_DEEP: throw .tooDeep
        case PASSGATE_JSON_TOO_LARGE, PASSGATE_JSON_NO_MEMORY: throw .tooLarge
        default: throw .malformed
        }
        defer { passgate_json_free(&document) }
        let nodes = UnsafeBufferPointer(start: document.nodes, count: document.node_count).map { node in
            JSONDocument.Node(
                kind: JSONDocument.Node.Kind(rawValue: node.kind) ?? .null, first: Int(node.first),
                second: Int(node.second))
        }
        let text = SecretBytes(copying: UnsafeBufferPointer(start: document.text, count: document.text_length))
        return JSONDocument(nodes: nodes, text: text)
    }
}
