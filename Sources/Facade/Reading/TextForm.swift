import ProviderKit
import SecretMemory

/// What a text of a request may look like.
struct TextForm {
    /// How many characters (Unicode scalars) it may have.
    let limit: Int
    /// Whether its form is left to another reader: it may hold line breaks and other control characters.
    var allowsLines = false
    var allowsEmpty = false

    /// The text, or nil with what was found.
    func read(_ value: JSONView, at pointer: String, findings: Findings) -> String? {
        readSecret(value, at: pointer, findings: findings)?.reveal()
    }

    /// The text, protected, or nil with what was found.
    func readSecret(_ value: JSONView, at pointer: String, findings: Findings) -> SecretText? {
        guard value.kind == .string else {
            findings.add(pointer, "wrong_type", "must be a text")
            return nil
        }
        let fault: Fault? = value.withUTF8 { self.fault(of: $0) } ?? nil
        if let fault {
            findings.add(pointer, fault.code, fault.detail)
            return nil
        }
        return value.secretText
    }

    private struct Fault {
        let code: String
        let detail: String
    }

    private func fault(of bytes: Span<UInt8>) -> Fault? {
        var isBlank = true
        for index in 0..<bytes.count where isBlank { isBlank = bytes[index] == 0x20 }
        if !allowsLines {
            for index in 0..<bytes.count where isControl(bytes, at: index) {
                return Fault(code: "control_character", detail: "must not hold control characters")
            }
        }
        // As many bytes at most are as many characters at most.
        if bytes.count > limit, characters(in: bytes) > limit {
            return Fault(code: "too_long", detail: "must have at most \(limit) characters")
        }
        if isBlank, !allowsEmpty { return Fault(code: "empty", detail: "must not be empty") }
        return nil
    }

    private func characters(in bytes: Span<UInt8>) -> Int {
        var characters = 0
        for index in 0..<bytes.count where bytes[index] & 0xc0 != 0x80 { characters += 1 }
        return characters
    }

    /// C0, delete, and C1 (`C2 80` to `C2 9F`).
    private func isControl(_ bytes: Span<UInt8>, at index: Int) -> Bool {
        switch bytes[index] {
        case 0..<0x20, 0x7f: true
        case 0xc2: index + 1 < bytes.count && bytes[index + 1] < 0xa0
        default: false
        }
    }
}
