import ProviderKit
import SecretMemory

/// Reads the platform's own members of a card: a flat object of texts, numbers and truth values.
struct MetadataReader {
    private static let memberLimit = 50
    private static let nameLimit = 40
    private static let valueForm = TextForm(limit: 500, allowsEmpty: true)
    /// The largest whole number that every JSON reader holds exactly.

    let findings: Findings

    /// The object as canonical text; nil where it is absent or something was found.
    func read(_ value: JSONView?, at pointer: String) -> String? {
        guard let value else { return nil }
        guard let members = value.members else {
            findings.add(pointer, "wrong_type", "must be an object")
            return nil
        }
        if members.count > Self.memberLimit {
            findings.add(pointer, "too_long", "must have at most \(Self.memberLimit) members")
            return nil
        }
        var seen: Set<String> = []
        var kept: [(name: String, value: JSONView)] = []
        for (name, value) in members {
            let place = KnownMembers.isQuotable(name) ? "\(pointer)/\(name)" : pointer
            if !(1...Self.nameLimit).contains(name.unicodeScalars.count) || name.utf8.contains(where: { $0 < 0x20 }) {
                findings.add(
                    pointer, "invalid_form", "must have names of 1 to \(Self.nameLimit) characters without controls")
            } else if !seen.insert(name).inserted {
                findings.add(place, "duplicate_member", "stands more than once")
            } else if isAllowed(value, at: place), !value.isNull {
                kept.append((name, value))
            }
        }
        return canonical(kept)
    }

    private func isAllowed(_ value: JSONView, at pointer: String) -> Bool {
        switch value.kind {
        case .null, .boolean: return true
        case .string: return Self.valueForm.readSecret(value, at: pointer, findings: findings) != nil
        case .integer where ObjectReader.exactNumbers.contains(value.integer ?? .max): return true
        case .double where (value.double ?? .infinity).magnitude <= Double(ObjectReader.exactNumbers.upperBound):
            return true
        case .integer, .unsignedInteger, .double:
            findings.add(pointer, "out_of_range", "must be a number within ±2^53; send larger ones as text")
            return false
        case .array, .object:
            findings.add(pointer, "wrong_type", "must be a text, a number, true or false")
            return false
        }
    }

    private func canonical(_ members: [(name: String, value: JSONView)]) -> String? {
        var json = JSONWriter()
        json.object { json in
            for (name, value) in members.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                json.member(name, verbatim: value.canonical)
            }
        }
        return json.finish().revealText()
    }
}
