public import SecretMemory

extension JSONView {
    /// The value in one form only, so that two texts that mean the same give the same bytes: members sorted by the UTF-8
    /// bytes of their names, no spacing, the fewest escapes, and a number alike however it was written (`1`, `1.0` and
    /// `1e0`). Members of the same name stay in their order. For fingerprints; it may hold secrets.
    public var canonical: SecretBytes {
        var writer = JSONWriter(capacity: document.text.count * 2 + 256)
        document.text.withSpan { document.writeCanonical(index, in: $0, to: &writer) }
        return writer.finish()
    }
}

extension JSONDocument {
    fileprivate func writeCanonical(_ index: Int, in text: Span<UInt8>, to json: inout JSONWriter) {
        let node = nodes[index]
        switch node.kind {
        case .null: json.null()
        case .boolean: json.value(node.first == 1)
        case .integer, .unsignedInteger, .double:
            writeNumber(JSONView(document: self, index: index), to: &json)
        case .string: json.value(utf8: text.extracting(range(of: index)))
        case .array:
            json.array { json in
                var position = index + 1
                while position < node.second {
                    writeCanonical(position, in: text, to: &json)
                    position = end(of: position)
                }
            }
        case .object:
            json.object { json in
                for name in sortedNames(of: index, in: text) {
                    json.key(utf8: text.extracting(range(of: name)))
                    writeCanonical(name + 1, in: text, to: &json)
                }
            }
        }
    }

    private func writeNumber(_ number: JSONView, to json: inout JSONWriter) {
        if let whole = number.integer {
            json.value(whole)
        } else if let whole = number.unsignedInteger {
            json.value(whole)
        } else {
            json.value(number.double ?? 0)
        }
    }
}
