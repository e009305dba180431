import ProviderKit

/// The members that an object of a request may have, and what to say of others.
struct KnownMembers: Sendable {
    let names: [String]
    /// What to say of names that people send by mistake, by the name in its plain form.
    private let advice: [String: String]

    /// - Parameter advice: By name; its case, hyphens and underscores do not matter.
    init(_ names: [String], advice: [String: String] = [:]) {
        self.names = names
        self.advice = Dictionary(advice.map { (Self.plain($0.key), $0.value) }) { first, _ in first }
    }

    /// Whether the name is one of them, by its bytes: of two spellings that Unicode calls equal, another one is not known.
    func has(_ name: String) -> Bool {
        let length = name.utf8.count
        return names.contains { $0.utf8.count == length && $0 == name }
    }

    /// One sentence that says what would be right.
    func hint(for name: String) -> String {
        let plain = Self.plain(name)
        if let advice = advice[plain] { return advice }
        let meant = NearestName.of(plain, among: names.map(Self.plain))
        if let name = names.first(where: { Self.plain($0) == meant }) {
            return "is not known here; did you mean `\(name)`?"
        }
        let list = names.map { "`\($0)`" }.joined(separator: ", ")
        return names.isEmpty ? "is not known here" : "is not known here; known are \(list)"
    }

    /// Whether a name may be quoted: a word that is not too long, and no number.
    static func isQuotable(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count), let first = name.utf8.first, isLetter(first) || first == 0x5f else {
            return false
        }
        return name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x5f || $0 == 0x2d }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "_" && $0 != "-" }
    }
}
