/// Text that must not be seen: an API key, a token, an opaque card.
///
/// Like ``SecretBytes``, with UTF-8 promised.
public struct SecretText: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The text as UTF-8 bytes, equally protected.
    public let bytes: SecretBytes

    /// Protects a copy of `text`.
    public init(_ text: some StringProtocol) { bytes = SecretBytes(utf8: text) }

    /// Protects bytes that are UTF-8; nil where they are not.
    public init?(utf8 bytes: SecretBytes) {
        guard bytes.withSpan({ (try? UTF8Span(validating: $0)) != nil }) else { return nil }
        self.bytes = bytes
    }

    /// Whether there is no text.
    public var isEmpty: Bool { bytes.isEmpty }

    /// The text, in memory that is not wiped. For the place where it leaves, and nowhere else.
    public func reveal() -> String { bytes.revealText() ?? "" }

    /// A placeholder.
    public var description: String { bytes.description }

    /// A placeholder.
    public var debugDescription: String { description }

    /// Nothing to reflect: `dump` shows the placeholder only.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
