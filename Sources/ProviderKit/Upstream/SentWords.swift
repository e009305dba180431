import SecretMemory

/// What a request carried, so that an answer's word that repeats it is not told: it may be a credential or a part of the
/// handshake.
struct SentWords {
    /// So many bytes in a row that both have are no chance.
    private static let run = 12
    /// Fields that hold nothing secret.
    private static let openFields: Set<String> = ["accept", "content-type", "idempotency-key", "traceparent"]

    private let headers: [SecretBytes]
    private let body: SecretBytes?

    init(of request: UpstreamRequest) {
        headers = request.headers.filter { !Self.openFields.contains($0.name.lowercased()) }
            .flatMap { field in [field.value.bytes] + (Self.pair(of: field.value.bytes).map { [$0] } ?? []) }
        body = request.body
    }

    /// The user and password behind `Basic `.
    private static func pair(of value: SecretBytes) -> SecretBytes? {
        let scheme = Array("Basic ".utf8)
        return value.withSpan { span in
            guard span.count > scheme.count, scheme.indices.allSatisfy({ span[$0] == scheme[$0] }) else { return nil }
            var builder = SecretBuilder(capacity: span.count)
            for index in scheme.count..<span.count { builder.append(span[index]) }
            return Base64.decode(builder.finish())
        }
    }

    /// The word, unless it repeats something of the request.
    func unlessRepeated(_ word: String?) -> String? { word.flatMap { isRepeated(Array($0.utf8)) ? nil : $0 } }

    private func isRepeated(_ word: [UInt8]) -> Bool {
        // Nothing so short is a secret.
        guard word.count >= 4 else { return false }
        let length = min(word.count, Self.run)
        let pieces = (0...(word.count - length)).map { word[$0..<($0 + length)] }
        if headers.contains(where: { value in pieces.contains { Self.occurs($0, in: value) } }) { return true }
        guard let body else { return false }
        // A processor's code may well be made of the names of members; a secret hardly is.
        let telling = pieces.filter { !$0.allSatisfy(Self.isOfNames) }
        return telling.contains { Self.occurs($0, in: body) } || Self.occursAsValue(word, in: body)
    }

    private static func isOfNames(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || [0x5f, 0x2e, 0x2d].contains(byte)
    }

    private static func occursAsValue(_ word: [UInt8], in body: SecretBytes) -> Bool {
        [("\"", "\""), ("=", "&")].contains { before, after in
            let value = Array(before.utf8) + word + Array(after.utf8)
            return occurs(value[...], in: body, unlessBefore: 0x3a)
        }
    }

    private static func occurs(_ piece: ArraySlice<UInt8>, in sent: SecretBytes, unlessBefore end: UInt8? = nil) -> Bool
    {
        sent.withSpan { span in
            guard span.count >= piece.count else { return false }
            return (0...(span.count - piece.count)).contains { start in
                var place = start
                for byte in piece {
                    if span[place] != byte { return false }
                    place += 1
                }
                return place == span.count || span[place] != end
            }
        }
    }
}
