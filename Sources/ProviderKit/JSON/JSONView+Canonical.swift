public import SecretMemory

extension JSONView {
    /// The value in one form for all texts that mean the same: members sorted by their names' UTF-8 bytes, no spacing,
    /// and `1`, `1.0` and `1e0` alike. For fingerprints; it may hold secrets.
    public var canonical: SecretBytes {
        var json = JSONWriter(capacity: 2048)
        write(canonicallyTo: &json)
        return json.finish()
    }

    private func write(canonicallyTo json: inout JSONWriter) {
        switch kind {
        case .null: json.null()
        case .boolean: json.value(bool ?? false)
        case .string: if let secretText { json.value(secretText) }
        case .array: json.array { json in for element in elements ?? [] { element.write(canonicallyTo: &json) } }
        case .object:
            json.object { json in
                let sorted = (members ?? []).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                for (name, value) in sorted {
                    json.key(name)
                    value.write(canonicallyTo: &json)
                }
            }
        case .integer, .unsignedInteger, .double:
            if let integer { json.value(integer) } else if let double { json.value(double) }
        }
    }

    /// The JSON pointers of members whose name stands more than once in its object.
    public var duplicateMembers: [String] {
        var found: [String] = []
        collectDuplicates(at: "", into: &found)
        return found
    }

    private func collectDuplicates(at pointer: String, into found: inout [String]) {
        switch kind {
        case .array:
            for (index, element) in (elements ?? []).enumerated() {
                element.collectDuplicates(at: "\(pointer)/\(index)", into: &found)
            }
        case .object:
            var seen: Set<String> = []
            for (name, value) in members ?? [] {
                let path = "\(pointer)/\(Self.escaped(name))"
                if !seen.insert(name).inserted { found.append(path) }
                value.collectDuplicates(at: path, into: &found)
            }
        default: break
        }
    }

    /// A member's name as a step of a JSON pointer (RFC 6901).
    public static func escaped(_ name: String) -> String {
        name.contains("~") || name.contains("/")
            ? name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
            : name
    }
}
