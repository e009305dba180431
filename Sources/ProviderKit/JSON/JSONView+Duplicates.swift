import SecretMemory

extension JSONView {
    /// The JSON pointers (RFC 6901) of members whose name stood in their object before, in the order of the text.
    ///
    /// It looks into everything below this value; pointers start here. Names are compared byte by byte.
    public var duplicateMembers: [String] {
        var found: [String] = []
        var steps: [JSONDocument.Step] = []
        document.text.withSpan { document.findDuplicates(below: index, in: $0, at: &steps, into: &found) }
        return found
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
}

extension JSONDocument {
    /// A step of a path: into an array by its place, or into an object by the index of the member's name.
    fileprivate enum Step {
        case element(Int)
        case member(Int)
    }

    fileprivate func findDuplicates(
        below index: Int, in text: Span<UInt8>, at steps: inout [Step], into found: inout [String]
    ) {
        switch nodes[index].kind {
        case .array:
            var position = index + 1
            var place = 0
            while position < nodes[index].second {
                steps.append(.element(place))
                findDuplicates(below: position, in: text, at: &steps, into: &found)
                steps.removeLast()
                position = end(of: position)
                place += 1
            }
        case .object:
            let repeated = repeatedNames(of: index, in: text)
            var name = index + 1
            while name < nodes[index].second {
                steps.append(.member(name))
                if repeated.contains(name) { found.append(pointer(steps)) }
                findDuplicates(below: name + 1, in: text, at: &steps, into: &found)
                steps.removeLast()
                name = end(of: name + 1)
            }
        default: break
        }
    }

    /// The names that equal an earlier one of their object.
    private func repeatedNames(of index: Int, in text: Span<UInt8>) -> Set<Int> {
        var repeated: Set<Int> = []
        let names = sortedNames(of: index, in: text)
        for place in names.indices.dropFirst() where compare(names[place - 1], names[place], in: text) == 0 {
            repeated.insert(names[place])
        }
        return repeated
    }

    private func pointer(_ steps: [Step]) -> String {
        steps.map { step in
            switch step {
            case .element(let place): "/\(place)"
            case .member(let name): "/" + JSONView.escaped(JSONView(document: self, index: name).string ?? "")
            }
        }.joined()
    }
}
