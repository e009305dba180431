import ProviderKit
import Provisioning
import SecretMemory

/// Reads one object of a request strictly: members that are unknown, doubled, missing or of another form are found.
/// `null` means absent.
struct ObjectReader {
    private static let wordLimit = 32
    /// The whole numbers that every program reads as they are written: JSON has no others for certain.
    static let exactNumbers = -(1 << 53)...(1 << 53)

    let pointer: String
    let findings: Findings
    private let members: [(name: String, value: JSONView)]

    /// Begins with an object.
    init(_ members: [(name: String, value: JSONView)], at pointer: String, known: KnownMembers, findings: Findings) {
        self.pointer = pointer
        self.findings = findings
        var kept: [(name: String, value: JSONView)] = []
        kept.reserveCapacity(members.count)
        for (name, value) in members {
            if !known.has(name) {
                let isQuotable = KnownMembers.isQuotable(name)
                findings.add(
                    isQuotable ? "\(pointer)/\(name)" : pointer, "unknown_member",
                    isQuotable ? known.hint(for: name) : "has a member whose name is not known here")
            } else if kept.contains(where: { $0.name == name }) {
                findings.add("\(pointer)/\(name)", "duplicate_member", "stands more than once")
            } else {
                kept.append((name, value))
            }
        }
        self.members = kept
    }

    /// The pointer of a member.
    func pointer(to name: String) -> String { "\(pointer)/\(name)" }

    /// The member's value; nil where it is absent or `null`.
    func value(_ name: String) -> JSONView? {
        members.first { $0.name == name }.flatMap { $0.value.isNull ? nil : $0.value }
    }

    /// Finds the member missing where it is absent.
    func require(_ name: String) {
        if value(name) == nil { findings.add(pointer(to: name), "missing", "is missing") }
    }

    /// An object.
    func object(_ name: String, known: KnownMembers) -> ObjectReader? {
        guard let value = value(name) else { return nil }
        guard let members = value.members else {
            refuse(name, "wrong_type", "must be an object")
            return nil
        }
        return ObjectReader(members, at: pointer(to: name), known: known, findings: findings)
    }

    /// A line of text: no control characters, not empty, at most so many characters.
    func text(_ name: String, limit: Int) -> String? {
        guard let value = value(name) else { return nil }
        return TextForm(limit: limit).read(value, at: pointer(to: name), findings: findings)
    }

    /// A text that may be a secret: its form is checked, and it is never shown.
    func secret(_ name: String, limit: Int, allowsLines: Bool = false) -> SecretText? {
        guard let value = value(name) else { return nil }
        let form = TextForm(limit: limit, allowsLines: allowsLines, allowsEmpty: allowsLines)
        return form.readSecret(value, at: pointer(to: name), findings: findings)
    }

    /// A truth value.
    func flag(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        if let flag = value.bool { return flag }
        refuse(name, "wrong_type", "must be true or false")
        return nil
    }

    /// A whole number, or nil with what was found; nil also where the member is no number at all.
    func exactNumber(_ name: String) -> Int? {
        guard let number = value(name)?.integer else { return nil }
        if Self.exactNumbers.contains(number) { return number }
        refuse(name, "out_of_range", "must be a number within ±2^53")
        return nil
    }

    /// The last four digits of a card's number.
    func last4(_ name: String) -> String? {
        guard let text = text(name, limit: 64) else { return nil }
        if text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return text }
        refuse(name, "invalid_form", "must be exactly four digits 0 to 9")
        return nil
    }

    /// One of the words of a closed vocabulary.
    func word<Word: RawRepresentable & CaseIterable>(_ name: String) -> Word? where Word.RawValue == String {
        guard let value = value(name) else { return nil }
        return Vocabulary<Word>.read(value, at: pointer(to: name), findings: findings)
    }

    /// An array of words of a closed vocabulary.
    func words<Word: RawRepresentable & CaseIterable>(_ name: String) -> [Word]? where Word.RawValue == String {
        guard let value = value(name) else { return nil }
        guard let elements = value.elements else {
            refuse(name, "wrong_type", "must be an array of texts")
            return nil
        }
        if elements.count > Self.wordLimit { refuse(name, "too_long", "must have at most \(Self.wordLimit) elements") }
        return elements.prefix(Self.wordLimit).enumerated().compactMap { index, element in
            Vocabulary<Word>.read(element, at: "\(pointer(to: name))/\(index)", findings: findings)
        }
    }

    /// A time in RFC 3339.
    func time(_ name: String) -> Timestamp? {
        guard let text = text(name, limit: 40) else { return nil }
        if let time = Timestamp(rfc3339: text) { return time }
        refuse(name, "invalid_time", "must be an RFC 3339 time such as 2026-01-31T10:20:30.456Z")
        return nil
    }

    /// Notes that a member is not as it should be.
    func refuse(_ name: String, _ code: String, _ detail: String) {
        findings.add(pointer(to: name), code, detail)
    }
}
