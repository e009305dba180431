import Foundation
import Provisioning
import SecretMemory
import Storage
import Testing

@testable import Gateway

/// What holds for every text: whoever writes bytes is read as he meant them, and nothing is read in two ways.
@Suite struct EncodedBytesPropertyTests {
    /// A text of some bytes in a form that is taken, and what has to be mended in it.
    private struct Written {
        var text: String
        var repairs: Set<String> = []

        /// Writes the bytes in a form that chance chooses.
        init(_ bytes: [UInt8], using random: inout SeededGenerator) {
            // Another implementation writes them, so that a mistake of ours is not made twice.
            text = Data(bytes).base64EncodedString()
            if Bool.random(using: &random) {
                if text.contains(where: { "+/".contains($0) }) { repairs.insert("url_alphabet") }
                text = text.replacing("+", with: "-").replacing("/", with: "_")
            }
            if text.hasSuffix("="), Bool.random(using: &random) {
                text = text.replacing("=", with: "")
                repairs.insert("padding_added")
            }
            wrap(using: &random)
        }

        /// Puts line breaks where encoders put them, or where nobody would.
        private mutating func wrap(using random: inout SeededGenerator) {
            let lineBreak = Bool.random(using: &random) ? "\n" : "\r\n"
            let before = text
            switch Int.random(in: 0..<5, using: &random) {
            case 0: text = lines(of: 64).joined(separator: lineBreak)
            case 1: text = lines(of: 76).joined(separator: lineBreak) + lineBreak
            case 2: text += lineBreak
            case 3: text = lines(of: Int.random(in: 1...20, using: &random)).joined(separator: lineBreak)
            default: break
            }
            if text != before { repairs.insert("line_breaks_removed") }
        }

        private func lines(of width: Int) -> [String] {
            let letters = Array(text)
            return stride(from: 0, to: letters.count, by: width).map {
                String(letters[$0..<min($0 + width, letters.count)])
            }
        }
    }

    private func read(_ text: String, encoding: String? = "base64") -> (bytes: [UInt8]?, notes: HandshakeNotes) {
        var reader = HandshakeReader()
        let certificates = try? TestCertificates.shared.get().chain.map { SecretText(Base64.encode($0)) }
        let handshake = try? reader.read(
            ProvisionCommand.ApplePay(
                certificates: certificates, nonce: SecretText(text),
                nonceSignature: SecretText(encoding == "hex" ? "09" : "CQ=="), encoding: encoding),
            at: Timestamp(milliseconds: 1_800_000_000_000))
        return (handshake?.nonce.reveal(), reader.notes)
    }

    @Test("H03, H06: whatever the bytes, the alphabet, the padding and the wrap, they are read as they were written")
    func readsWhatWasWritten() throws {
        for seed in 0..<2000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let bytes = random.bytes(Int.random(in: 1...256, using: &random))
            let written = Written(bytes, using: &random)
            let (read, notes) = read(written.text)
            #expect(read == bytes, "seed \(seed)")
            #expect(Set(notes.repairs.map(\.word)) == written.repairs, "seed \(seed)")
            #expect(notes.repairs.allSatisfy { $0.pointer == "/apple_pay/nonce" }, "seed \(seed)")
        }
    }

    @Test("H01: declared hex is read as it was written, in either case and in both")
    func readsHexAsItWasWritten() {
        for seed in 0..<1000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let bytes = random.bytes(Int.random(in: 1...256, using: &random))
            let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            let text =
                switch seed % 3 {
                case 0: digits
                case 1: digits.uppercased()
                default: String(digits.map { Bool.random(using: &random) ? Character($0.uppercased()) : $0 })
                }
            let (read, notes) = read(text, encoding: "hex")
            #expect(read == bytes && notes.repairs.isEmpty, "seed \(seed)")
        }
    }

    /// What a text means by the design alone, with nothing of ours: its bytes, or why it has none.
    private enum Meaning: Equatable {
        case bytes([UInt8])
        case ambiguous
        case none
    }

    private func meaning(of text: String) -> Meaning {
        var digits = text.replacing("\r\n", with: "\n").replacing("\n", with: "")
        let isHex = { (letters: String) in digits.allSatisfy { letters.contains($0) } }
        if digits.count >= 8, digits.count % 2 == 0, isHex("0123456789abcdef") || isHex("0123456789ABCDEF") {
            return .ambiguous
        }
        let isStandard = digits.contains { "+/".contains($0) }
        let isURL = digits.contains { "-_".contains($0) }
        if isStandard && isURL || digits.contains(where: { !$0.isASCII }) { return .none }
        digits = digits.replacing("-", with: "+").replacing("_", with: "/")
        if !digits.hasSuffix("=") { digits += String(repeating: "=", count: (4 - digits.count % 4) % 4) }
        // Bits that no byte holds must be none: else two texts would be the same bytes.
        guard let data = Data(base64Encoded: digits), !data.isEmpty, data.base64EncodedString() == digits else {
            return .none
        }
        return .bytes(Array(data))
    }

    @Test("H01, H03: no text is read in two ways, and none in another way than the design says")
    func nothingIsReadInTwoWays() {
        let letters = Array("abcdefABCDEF0189+/-_==gZ \n\r\u{0}é[\"")
        var seen = (bytes: 0, ambiguous: 0, none: 0)
        for seed in 0..<20_000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let text = Self.text(of: letters, using: &random)
            let (read, notes) = read(text, encoding: nil)
            switch meaning(of: text) {
            case .bytes(let bytes) where bytes.count <= 256:
                seen.bytes += 1
                #expect(read == bytes, "seed \(seed): \(text.debugDescription)")
            case .ambiguous:
                seen.ambiguous += 1
                #expect(read == nil && notes.code == .ambiguousEncoding, "seed \(seed): \(text.debugDescription)")
            case .none, .bytes:
                seen.none += 1
                #expect(read == nil && notes.code != nil, "seed \(seed): \(text.debugDescription)")
            }
        }
        #expect(seen.bytes > 1000 && seen.ambiguous > 1000 && seen.none > 1000, "\(seen)")
    }

    /// A text that may mean anything: letters by chance, or a good text with something wrong in it.
    private static func text(of letters: [Character], using random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            return String(
                (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
        case 1:
            let digits = Array(Bool.random(using: &random) ? "0123456789abcdef" : "0123456789ABCDEF")
            return String(
                (0..<Int.random(in: 1...40, using: &random)).compactMap { _ in digits.randomElement(using: &random) })
        default:
            let bytes = random.bytes(Int.random(in: 1...40, using: &random))
            var text = Array(Written(bytes, using: &random).text)
            guard let place = text.indices.randomElement(using: &random),
                let letter = letters.randomElement(using: &random)
            else { return "" }
            switch Int.random(in: 0..<4, using: &random) {
            case 0: text[place] = letter
            case 1: text.insert(letter, at: place)
            case 2: text.remove(at: place)
            default: break
            }
            return String(text)
        }
    }

    @Test("H04: a certificate is the same in every form that is taken")
    func readsACertificateInEveryForm() throws {
        for seed in 0..<500 {
            var random = SeededGenerator(seed: UInt64(seed))
            // As DER begins, so that it is no text.
            let der = [0x30] + random.bytes(Int.random(in: 1...1200, using: &random))
            let lineBreak = Bool.random(using: &random) ? "\n" : "\r\n"
            let body = Data(der).base64EncodedString(
                options: [
                    .lineLength64Characters,
                    lineBreak == "\n"
                        ? .endLineWithLineFeed : [.endLineWithCarriageReturn, .endLineWithLineFeed],
                ])
            let pem = ["-----BEGIN CERTIFICATE-----", body, "-----END CERTIFICATE-----", ""].joined(
                separator: lineBreak)
            let plain = Written(der, using: &random)
            let doubled = Written(Array(pem.utf8), using: &random)
            let forms: [(text: String, repairs: Set<String>)] = [
                (plain.text, plain.repairs), (pem, ["pem_decoded"]),
                (doubled.text, doubled.repairs.union(["base64_of_pem_decoded"])),
            ]
            for (text, repairs) in forms {
                let read = try CertificateText.der(of: SecretBytes(utf8: text))
                #expect(read.der == der && Set(read.repairs) == repairs, "seed \(seed)")
            }
        }
    }
}
