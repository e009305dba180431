/// The device that a token is on, as far as the processor tells.
public struct TokenDevice: Sendable, Equatable {
    /// The processor's word for its kind, such as `phone` or `watch`.
    public let kind: String?
    /// The name that its owner gave it. A personal member.
    public let name: String?

    /// Makes a device of its members, each kept only where it is well formed: a kind that is a word; a name of at most 128
    /// bytes without control characters and without anything that may be a card number. Nil where nothing is left.
    public init?(kind: String?, name: String?) {
        self.kind = UpstreamReport(status: nil, code: kind).code
        self.name = name.flatMap { name in
            let isFit = (1...128).contains(name.utf8.count) && !name.utf8.contains { $0 < 0x20 || $0 == 0x7f }
            return isFit && !CardNumber.occurs(in: name.utf8) ? name : nil
        }
        if self.kind == nil, self.name == nil { return nil }
    }
}
