import ProviderKit
import Provisioning
import SecretMemory

/// A PKCS#7 envelope with a card in it, made here or by the platform.
struct ThalesEnvelope: Sendable {
    /// Where the platform's own envelope stands in a request.
    static let pointer = "/thales/encrypted_payload"

    /// The envelope's bytes.
    let der: SecretBytes

    /// Takes an envelope that was made here.
    init(der: SecretBytes) { self.der = der }

    /// Reads what the platform sent: hex in either case, or standard base64 on one line. No envelope is both: it begins
    /// with 0x30, which is `M` in base64, and `M` is no hex digit.
    ///
    /// - Throws: `invalid_request` with the pointer, and the form that was seen.
    init(given text: SecretText) throws(ProvisioningError) {
        let digits = text.bytes
        if digits.begins(with: "0x") || digits.begins(with: "0X") {
            throw Self.refusal("begins with 0x; send the hex digits alone")
        }
        if digits.begins(with: "-----BEGIN") {
            throw Self.refusal("is PEM; send the base64 between its lines, on one line")
        }
        if digits.count % 2 == 1, digits.withSpan(Self.hasOnlyHexDigits) {
            throw Self.refusal("has an odd number of hex digits")
        }
        guard let bytes = Hexadecimal.decode(digits) ?? Base64.decode(digits) else {
            throw Self.refusal("is neither hex nor standard base64 on one line")
        }
        guard bytes.withSpan(Self.isEnvelope) else {
            throw Self.refusal("is not a whole PKCS#7 EnvelopedData, as hex or base64")
        }
        der = bytes
    }

    /// The envelope as text.
    func text(in form: ThalesConfiguration.PayloadForm) -> SecretText {
        let text = form == .hex ? Hexadecimal.encode(der) : Base64.encode(der)
        // Digits are always text.
        return SecretText(utf8: text) ?? SecretText("")
    }

    private static func refusal(_ detail: String) -> ProvisioningError {
        ProvisioningError(.invalidRequest, outcome: .notSent, pointer: pointer, detail: detail)
    }

    private static func hasOnlyHexDigits(_ text: Span<UInt8>) -> Bool {
        for index in 0..<text.count {
            switch text[index] {
            case 0x30...0x39, 0x41...0x46, 0x61...0x66: continue
            default: return false
            }
        }
        return true
    }

    /// Whether the bytes are one ContentInfo of the type `enveloped-data` (RFC 5652, 3): a sequence as long as it says, or
    /// with an end mark as some libraries write it, that begins with the type's object identifier. Only Thales can look
    /// further.
    private static func isEnvelope(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 64, bytes[0] == 0x30 else { return false }
        var start = 2
        if bytes[1] != 0x80 {
            var length = Int(bytes[1])
            if length > 0x80 {
                let count = length - 0x80
                guard count <= 4 else { return false }
                start += count
                length = (2..<start).reduce(0) { $0 << 8 | Int(bytes[$1]) }
            }
            guard start + length == bytes.count else { return false }
        }
        let type: [UInt8] = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, 0x03]
        for index in type.indices where bytes[start + index] != type[index] { return false }
        return true
    }
}

extension SecretBytes {
    fileprivate func begins(with prefix: String) -> Bool {
        let prefix = prefix.utf8.span
        return withSpan { span in
            guard span.count >= prefix.count else { return false }
            for index in 0..<prefix.count where span[index] != prefix[index] { return false }
            return true
        }
    }
}
