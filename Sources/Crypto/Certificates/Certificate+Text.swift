public import ProviderKit
public import SecretMemory

extension Certificate {
    /// Reads a certificate from a configuration's text: PEM, base64 of DER, or base64 of PEM.
    ///
    /// - Throws: `CryptographyFailure` where it is none, or more than one.
    public init(text: SecretText) throws(CryptographyFailure) {
        if let bytes = Self.base64(text) {
            if let inner = SecretText(utf8: bytes), inner.reveal().contains("BEGIN") {
                try self.init(pem: inner)
            } else {
                try self.init(der: bytes.reveal())
            }
        } else {
            try self.init(pem: text)
        }
    }

    /// The certificate as PEM text.
    public var pem: String {
        let digits = Array(Base64.encode(der))
        let lines = stride(from: 0, to: digits.count, by: 64).map { String(digits[$0..<min($0 + 64, digits.count)]) }
        return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
    }

    private init(pem: SecretText) throws(CryptographyFailure) {
        var reader = PEMReader(pem, subject: "The certificate")
        let blocks = try reader.blocks()
        guard blocks.count == 1 else {
            throw CryptographyFailure("The certificate text holds \(blocks.count) PEM blocks; one is needed.")
        }
        guard ["CERTIFICATE", "X509 CERTIFICATE"].contains(blocks[0].label) else {
            throw CryptographyFailure("The certificate text holds a \(blocks[0].label).")
        }
        try self.init(der: blocks[0].der.reveal())
    }

    /// The bytes that the text stands for where it is base64, white space left out.
    private static func base64(_ text: SecretText) -> SecretBytes? {
        var digits = SecretBuilder(capacity: text.bytes.count)
        text.bytes.withSpan { span in
            for index in 0..<span.count where span[index] > 0x20 { digits.append(span[index]) }
        }
        let decoded = Base64.decode(digits.finish())
        return decoded.flatMap { $0.isEmpty ? nil : $0 }
    }
}
