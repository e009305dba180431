import SecretMemory

/// A certificate as people send it: base64 of DER, PEM, or base64 of PEM.
enum CertificateText {
    /// Why a text was not read. The sentence names the form that was seen.
    struct Refusal: Error, Sendable, Equatable {
        let detail: String
    }

    private static let begin = Array("-----BEGIN CERTIFICATE-----".utf8)
    private static let end = Array("-----END CERTIFICATE-----".utf8)

    /// The DER, and what had to be mended.
    static func der(of text: SecretBytes) throws(Refusal) -> (der: [UInt8], repairs: [String]) {
        if let body = try pemBody(text.reveal()) {
            return (try decode(body).der, ["pem_decoded"])
        }
        let (der, repairs) = try decode(text)
        if let body = try pemBody(der) {
            return (try decode(body).der, repairs + ["base64_of_pem_decoded"])
        }
        return (der, repairs)
    }

    private static func decode(_ text: SecretBytes) throws(Refusal) -> (der: [UInt8], repairs: [String]) {
        var repairs: [EncodedBytes.Repair] = []
        do throws(EncodedBytes.Refusal) {
            let bytes = try EncodedBytes.base64(text, repairs: &repairs)
            return (bytes.reveal(), repairs.map(\.rawValue))
        } catch {
            throw Refusal(detail: error.detail)
        }
    }

    /// What stands between the markers; nil where the text is no PEM.
    private static func pemBody(_ text: [UInt8]) throws(Refusal) -> SecretBytes? {
        let trimmed = text.drop { isBreak($0) }
        guard trimmed.starts(with: [0x2d, 0x2d, 0x2d, 0x2d]) else { return nil }
        guard trimmed.starts(with: begin) else {
            throw Refusal(detail: "is PEM, but does not begin with a whole CERTIFICATE marker")
        }
        let body = trimmed.dropFirst(begin.count)
        guard let close = body.firstRange(of: end) else {
            throw Refusal(detail: "is PEM without its END CERTIFICATE marker")
        }
        guard body[close.upperBound...].allSatisfy(isBreak) else {
            throw Refusal(detail: "holds more than one PEM certificate; send an array of one certificate each")
        }
        return SecretBytes(body[..<close.lowerBound])
    }

    private static func isBreak(_ byte: UInt8) -> Bool { byte == 0x0a || byte == 0x0d || byte == 0x20 }
}
