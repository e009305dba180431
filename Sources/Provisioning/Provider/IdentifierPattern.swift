/// What a processor's ids look like: a prefix and a bounded run of characters, or a UUID.
///
/// No text that does not match is put into a URL, so dot segments and reserved characters never reach one.
public enum IdentifierPattern: Sendable, Hashable {
    /// The characters that may follow the prefix.
    public enum Alphabet: Sendable, Hashable {
        /// `[A-Za-z0-9]`
        case alphanumeric
        /// `[a-z0-9]`
        case lowercaseAlphanumeric
        /// `[A-Za-z0-9_-]`
        case token
    }

    /// One of the prefixes, then as many characters of the alphabet as the range allows.
    case prefixed([String], Alphabet, length: ClosedRange<Int>)
    /// 8-4-4-4-12 hexadecimal digits, in either case.
    case uuid

    /// Whether the whole text matches.
    public func matches(_ text: String) -> Bool {
        switch self {
        case .uuid:
            let groups = text.utf8.split(separator: 0x2d, omittingEmptySubsequences: false)
            return groups.map(\.count) == [8, 4, 4, 4, 12]
                && groups.joined().allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
        case .prefixed(let prefixes, let alphabet, let length):
            return prefixes.contains { prefix in
                guard text.utf8.starts(with: prefix.utf8) else { return false }
                let rest = text.utf8.dropFirst(prefix.utf8.count)
                return length.contains(rest.count) && rest.allSatisfy(alphabet.contains)
            }
        }
    }
}

extension IdentifierPattern.Alphabet {
    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7a, 0x30...0x39: true
        case 0x41...0x5a: self != .lowercaseAlphanumeric
        case 0x2d, 0x5f: self == .token
        default: false
        }
    }
}
