import ProviderKit

/// Reads a word of a closed vocabulary.
enum Vocabulary<Word: RawRepresentable & CaseIterable> where Word.RawValue == String {
    /// All words, for people.
    static var list: String { Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ") }

    /// The word, or nil with what was found.
    static func read(_ value: JSONView, at pointer: String, findings: Findings) -> Word? {
        guard value.kind == .string else {
            findings.add(pointer, "wrong_type", "must be a text: one of \(list)")
            return nil
        }
        if let word = Word.allCases.first(where: { value.equals($0.rawValue) }) { return word }
        findings.add(pointer, "unknown_value", "must be one of \(list)")
        return nil
    }
}
