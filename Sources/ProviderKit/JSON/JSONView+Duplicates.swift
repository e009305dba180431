extension JSONView {
    /// The JSON pointers (RFC 6901) of members whose name stood in their object before, in the order of the text.
    ///
    /// It looks into everything below this value; pointers start here. Names are compared byte by byte.
    public var duplicateMembers: [String] {
        switch kind {
        case .array:
            return children.enumerated().flatMap { index, element in
                element.duplicateMembers.map { "/\(index)\($0)" }
            }
        case .object:
            let flat = children
            let repeated = Self.repeatedNames(in: flat)
            var found: [String] = []
            for position in stride(from: 0, to: flat.count, by: 2) {
                let below = flat[position + 1].duplicateMembers
                guard repeated.contains(position) || !below.isEmpty else { continue }
                let pointer = "/" + Self.escaped(flat[position].string ?? "")
                if repeated.contains(position) { found.append(pointer) }
                found += below.map { pointer + $0 }
            }
            return found
        default: return []
        }
    }

    /// A member's name as a step of a JSON pointer (RFC 6901).
    public static func escaped(_ name: String) -> String {
        var token = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(scalar)
            }
        }
        return token
    }

    /// The positions of names, among names and values in turn, that equal an earlier one.
    private static func repeatedNames(in flat: [JSONView]) -> Set<Int> {
        // Sorted, so that a body of very many members costs no more than it should.
        let order = stride(from: 0, to: flat.count, by: 2).sorted { left, right in
            let comparison = flat[left].compareUTF8(to: flat[right])
            return comparison == 0 ? left < right : comparison < 0
        }
        return Set(zip(order, order.dropFirst()).filter { flat[$0].compareUTF8(to: flat[$1]) == 0 }.map(\.1))
    }
}
