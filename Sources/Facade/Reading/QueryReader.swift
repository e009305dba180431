import Gateway
import Provisioning
import Storage

/// Reads a query strictly. A parameter is named as a JSON pointer: `limit` is `/limit`.
struct QueryReader {
    private static let textLimit = 512
    private var values: [String: String] = [:]
    private let findings = Findings()

    /// Reads a query that may have these parameters, each once.
    init(_ query: String, known names: [String]) {
        let known = KnownMembers(names)
        for part in query.split(separator: "&", omittingEmptySubsequences: query.isEmpty) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let encoded = pair.count > 1 ? pair[1] : ""
            let name = PercentCoding.decode(pair[0].utf8.span, plusIsSpace: true)
            guard let name, names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
                let quotable = name.flatMap { KnownMembers.isQuotable($0) ? $0 : nil }
                findings.add(
                    quotable.map { "/\($0)" } ?? "", "unknown_parameter",
                    quotable.map { known.hint(for: $0) } ?? "the query has a parameter that is not known here")
                continue
            }
            if values[name] != nil {
                findings.add("/\(name)", "duplicate_parameter", "stands more than once")
            } else if let value = PercentCoding.decode(encoded.utf8.span, plusIsSpace: true) {
                keep(value, as: name)
            } else {
                findings.add("/\(name)", "bad_encoding", "is not percent-encoded UTF-8")
            }
        }
    }

    private mutating func keep(_ value: String, as name: String) {
        values[name] = value
        if value.isEmpty {
            findings.add("/\(name)", "empty", "must not be empty")
        } else if value.utf8.count > Self.textLimit, value.unicodeScalars.count > Self.textLimit {
            findings.add("/\(name)", "too_long", "must have at most \(Self.textLimit) characters")
        } else if value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f }) {
            findings.add("/\(name)", "control_character", "must not hold control characters")
        }
    }

    /// The text of a parameter.
    func text(_ name: String) -> String? { values[name] }

    /// One of the words of a closed vocabulary.
    func word<Word: RawRepresentable & CaseIterable>(_ name: String) -> Word? where Word.RawValue == String {
        guard let value = values[name], !value.isEmpty else { return nil }
        if let word = Word(rawValue: value) { return word }
        findings.add("/\(name)", "unknown_value", "must be one of \(Vocabulary<Word>.list)")
        return nil
    }

    /// One of the words of a closed vocabulary, or the pattern of one of its families, as it stands.
    func pattern<Word: RawRepresentable & CaseIterable>(_ name: String, of words: Word.Type, families: [String])
        -> String? where Word.RawValue == String
    {
        guard let value = values[name], !value.isEmpty else { return nil }
        if Word(rawValue: value) != nil || families.contains(value) { return value }
        findings.add(
            "/\(name)", "unknown_value", "must be one of \(families.joined(separator: ", ")), \(Vocabulary<Word>.list)")
        return nil
    }

    /// Words of a closed vocabulary, with commas between them.
    func words<Word: RawRepresentable & CaseIterable>(_ name: String) -> [Word]? where Word.RawValue == String {
        guard let value = values[name], !value.isEmpty else { return nil }
        var words: [Word] = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let word = Word(rawValue: String(part)) else {
                findings.add(
                    "/\(name)", "unknown_value", "must be words of \(Vocabulary<Word>.list), with commas between them")
                return nil
            }
            words.append(word)
        }
        return words
    }

    /// Which part of a list is wanted: `limit`, 1 to 100, and `cursor`.
    func page() -> PageRequest {
        var page = PageRequest(cursor: values["cursor"])
        guard let text = values["limit"], !text.isEmpty else { return page }
        let isNumber = text.utf8.count <= 3 && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        if isNumber, let limit = Int(text), (1...100).contains(limit) {
            page.limit = limit
        } else {
            findings.add("/limit", "out_of_range", "must be a whole number from 1 to 100")
        }
        return page
    }

    /// Throws everything that was found. To be called after the parameters were asked for.
    func finish() throws(Problem) { try findings.throwAny() }
}
