public import SecretMemory

extension JSONView {
    /// The value in one form only, so that two texts that mean the same give the same bytes: members sorted by the UTF-8
    /// bytes of their names, no spacing, the fewest escapes, and a number alike however it was written (`1`, `1.0` and
    /// `1e0`). Members of the same name stay in their order.
    public var canonical: SecretBytes {
        var writer = JSONWriter()
        writeCanonical(to: &writer)
        return writer.finish()
    }

    private func writeCanonical(to json: inout JSONWriter) {
        switch kind {
        case .null: json.null()
        case .boolean: json.value(bool == true)
        case .integer, .unsignedInteger, .double: writeNumber(to: &json)
        case .string: withUTF8 { json.value(utf8: $0) }
        case .array: json.array { json in for element in children { element.writeCanonical(to: &json) } }
        case .object: json.object { json in writeMembers(to: &json) }
        }
    }

    private func writeNumber(to json: inout JSONWriter) {
        if let whole = integer {
            json.value(whole)
        } else if let whole = unsignedInteger {
            json.value(whole)
        } else {
            json.value(double ?? 0)
        }
    }

    private func writeMembers(to json: inout JSONWriter) {
        let flat = children
        let order = stride(from: 0, to: flat.count, by: 2).sorted { left, right in
            let comparison = flat[left].compareUTF8(to: flat[right])
            return comparison == 0 ? left < right : comparison < 0
        }
        for position in order {
            flat[position].withUTF8 { json.key(utf8: $0) }
            flat[position + 1].writeCanonical(to: &json)
        }
    }

    /// Less than, equal to or more than 0 as this string stands before, at or after the other by its bytes.
    func compareUTF8(to other: JSONView) -> Int {
        withUTF8 { left in
            other.withUTF8 { right in
                for index in 0..<min(left.count, right.count) where left[index] != right[index] {
                    return left[index] < right[index] ? -1 : 1
                }
                return left.count - right.count
            } ?? 0
        } ?? 0
    }
}
