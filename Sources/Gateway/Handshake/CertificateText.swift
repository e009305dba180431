import SecretMemory

/// A certificate as people send it: base64 of DER, PEM, or base64 of PEM.
enum CertificateText {
    /// Why a text was not read. The sentence names the form that was seen.
    struct Refusal: Error, Sendable, Equatable {
        let detail: String
    }

    private static let marker = Array("-----BEGIN ".utf8)
    private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    /// The DER, and what had to be mended.
    static func der(of text: SecretBytes) throws(Refusal) -> (der: [UInt8], repairs: [String]) {
        if let body = try pemBody(text.reveal()) {
            return (try decode(body, of: "is PEM, and its body "), ["pem_decoded"])
        }
        var repairs: [EncodedBytes.Repair] = []
        let der = try decode(text, repairs: &repairs)
        let words = repairs.map(\.rawValue)
        guard let body = try pemBody(der) else { return (der, words) }
        return (try decode(body, of: "is base64 of PEM, and its body "), words + ["base64_of_pem_decoded"])
    }

    private static func decode(_ text: SecretBytes, of form: String = "") throws(Refusal) -> [UInt8] {
        var repairs: [EncodedBytes.Repair] = []
        return try decode(text, of: form, repairs: &repairs)
    }

    private static func decode(_ text: SecretBytes, of form: String = "", repairs: inout [EncodedBytes.Repair])
        throws(Refusal) -> [UInt8]
    {
        do throws(EncodedBytes.Refusal) {
            return try EncodedBytes.base64(text, repairs: &repairs).reveal()
        } catch {
            throw Refusal(detail: form + error.detail)
        }
    }

    /// What stands between the markers; nil where the text is no PEM.
    private static func pemBody(_ text: [UInt8]) throws(Refusal) -> SecretBytes? {
        if isDER(text) || !text.contains(0x2d) { return nil }
        let trimmed = text.drop { isBreak($0) }
        guard trimmed.starts(with: marker.prefix(4)) else {
            if position(of: marker, in: text[...]) == nil { return nil }
            throw Refusal(detail: "is PEM with other text before it; send the certificate's block alone")
        }
        if position(of: Array("\\n".utf8), in: trimmed) != nil {
            throw Refusal(
                detail: "is PEM whose line breaks are a backslash and an n, two characters; send real line breaks")
        }
        guard trimmed.starts(with: begin) else {
            throw Refusal(
                detail: trimmed.starts(with: marker) && !trimmed.starts(with: begin.dropLast(5))
                    ? "is PEM of something else than a certificate"
                    : "is PEM, but does not begin with a whole CERTIFICATE marker")
        }
        let body = trimmed.dropFirst(begin.count)
        guard let close = position(of: end, in: body) else {
            throw Refusal(detail: "is PEM without its END CERTIFICATE marker")
        }
        let rest = body[(close + end.count)...]
        if position(of: marker, in: rest) != nil {
            throw Refusal(detail: "holds more than one PEM certificate; send an array of one certificate each")
        }
        guard rest.allSatisfy(isBreak) else {
            throw Refusal(detail: "is PEM with other text after it; send the certificate's block alone")
        }
        return SecretBytes(body[..<close])
    }

    /// Where the pattern stands first. Written out: every certificate is searched on every request, and the general search
    /// of collections took a third of a request's time.
    private static func position(of pattern: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
        let (text, start, pattern) = (text.span, text.startIndex, pattern.span)
        var index = 0
        while index + pattern.count <= text.count {
            var length = 0
            while length < pattern.count, text[index + length] == pattern[length] { length += 1 }
            if length == pattern.count { return start + index }
            index += 1
        }
        return nil
    }

    /// Whether it begins as a sequence whose length takes more than a byte: no text does.
    private static func isDER(_ bytes: [UInt8]) -> Bool { bytes.count > 1 && bytes[0] == 0x30 && bytes[1] > 0x80 }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d || byte == 0x20 }
}
