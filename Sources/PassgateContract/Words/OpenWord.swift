/// A word of a vocabulary that a newer gateway may extend: a word that is not known is kept as it came, and is no error.
public protocol OpenWord: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
    /// Every word that this build knows.
    static var known: [Self] { get }
    /// A word that this build does not know.
    static func other(_ word: String) -> Self
    /// The word that is written so.
    init(rawValue: String)
}

extension OpenWord {
    /// The word that is written so.
    public init(rawValue: String) { self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue) }

    /// Reads any text.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the word as it was read.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    /// The word as it is written.
    public var description: String { rawValue }
}
