public import Foundation

/// A time as the gateway writes it: RFC 3339 in UTC with milliseconds.
public struct Moment: Codable, Hashable, Sendable, CustomStringConvertible {
    private static let withFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    private static let plain = Date.ISO8601FormatStyle()

    /// The time.
    public let date: Date
    /// The time as it was read, or is sent.
    public let description: String

    /// A time of the caller's.
    public init(_ date: Date) {
        self.date = date
        description = date.formatted(Self.withFraction)
    }

    /// Reads a text.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = (try? Self.withFraction.parse(text)) ?? (try? Self.plain.parse(text)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "is no RFC 3339 time")
        }
        self.date = date
        description = text
    }

    /// Writes the text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
