import Foundation
import SecretMemory
import Testing

@testable import Gateway

/// The forms in which people send bytes: each is read with one meaning, or refused by name.
@Suite struct EncodedBytesTests {
    static let nonce: [UInt8] = [0xfb, 0xef, 0xbe, 0x00, 0xff, 0x10]

    struct Accepted: Sendable, CustomTestStringConvertible {
        let text: String
        let bytes: [UInt8]
        let repairs: [String]
        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: [
        Accepted(text: "++++AP8Q", bytes: nonce, repairs: []),
        Accepted(text: "----AP8Q", bytes: nonce, repairs: ["url_alphabet"]),
        Accepted(text: "++++AP8=", bytes: Array(nonce.dropLast()), repairs: []),
        Accepted(text: "++++AP8", bytes: Array(nonce.dropLast()), repairs: ["padding_added"]),
        Accepted(text: "----AP8", bytes: Array(nonce.dropLast()), repairs: ["url_alphabet", "padding_added"]),
        Accepted(text: "----AP8=", bytes: Array(nonce.dropLast()), repairs: ["url_alphabet"]),
        Accepted(text: "++++\nAP8Q", bytes: nonce, repairs: ["line_breaks_removed"]),
        Accepted(text: "++++\r\nAP8Q\r\n", bytes: nonce, repairs: ["line_breaks_removed"]),
        Accepted(text: "++++AP8Q\n", bytes: nonce, repairs: ["line_breaks_removed"]),
    ])
    func readsBase64InEveryCommonForm(_ accepted: Accepted) throws {
        var repairs: [EncodedBytes.Repair] = []
        let bytes = try EncodedBytes.base64(SecretBytes(utf8: accepted.text), repairs: &repairs)
        #expect(bytes.reveal() == accepted.bytes)
        #expect(repairs.map(\.rawValue) == accepted.repairs)
    }

    @Test(arguments: [
        "", "\n", "+-AA", "++++ AP8Q", "++++\u{0}AP8Q", "++++AP8==", "++++AP8=Q", "=", "A", "AAAAA", "[\"++++AP8Q\"]",
        "\"++++AP8Q\"", "++++AP9=", "++++\rAP8Q", "fb:ef:be", "data:text/plain;base64,AAAA", "ＡＡＡＡ",
    ])
    func refusesWhatIsNotOneBase64Text(_ text: String) {
        var repairs: [EncodedBytes.Repair] = []
        #expect(throws: EncodedBytes.Refusal.self) {
            try EncodedBytes.base64(SecretBytes(utf8: text), repairs: &repairs)
        }
    }

    @Test(arguments: ["fbefbe00ff10", "FBEFBE00FF10", "00000000", "12345678", "0xfbefbe00ff10", "fbef\nbe00ff10"])
    func seesTextsThatReadAsHexToo(_ text: String) {
        #expect(EncodedBytes.readsAsHex(SecretBytes(utf8: text)))
    }

    @Test(arguments: ["fbefBE00", "fbefbe0", "fbefbe", "++++AP8Q", "fbefbe00ff1=", "fbefbe00ffxg"])
    func takesOtherTextsForBase64Alone(_ text: String) {
        #expect(!EncodedBytes.readsAsHex(SecretBytes(utf8: text)))
    }

    @Test func readsDeclaredHexInEitherCase() throws {
        for text in ["fbefbe00ff10", "FBEFBE00FF10", "fbefBE00FF10"] {
            var repairs: [EncodedBytes.Repair] = []
            #expect(try EncodedBytes.hex(SecretBytes(utf8: text), repairs: &repairs).reveal() == Self.nonce)
            #expect(repairs.isEmpty)
        }
    }

    @Test(arguments: ["", "f", "fbe", "0xfbef", "fb ef", "++++AP8Q", "fb:ef"])
    func refusesDeclaredHexThatIsNone(_ text: String) {
        var repairs: [EncodedBytes.Repair] = []
        #expect(throws: EncodedBytes.Refusal.self) {
            try EncodedBytes.hex(SecretBytes(utf8: text), repairs: &repairs)
        }
    }

    @Test("H06: every length, padding and wrap is read as another implementation writes it", arguments: 0...66)
    func readsWhatAnotherImplementationWrites(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 200) }
        let whole = Data(bytes).base64EncodedString()
        let bare = String(whole.reversed().drop { $0 == "=" }.reversed())
        let wrapped = [
            (Data.Base64EncodingOptions.lineLength64Characters, Data.Base64EncodingOptions.endLineWithLineFeed),
            (.lineLength76Characters, .endLineWithLineFeed),
            (.lineLength64Characters, [.endLineWithCarriageReturn, .endLineWithLineFeed]),
        ].map { Data(bytes).base64EncodedString(options: [$0, $1]) }
        for text in [whole, bare, whole + "\n", whole + "\r\n"] + wrapped {
            let url = text.replacing("+", with: "-").replacing("/", with: "_")
            for text in [text, url] {
                var repairs: [EncodedBytes.Repair] = []
                if count == 0 {
                    #expect(throws: EncodedBytes.Refusal.self) {
                        try EncodedBytes.base64(SecretBytes(utf8: text), repairs: &repairs)
                    }
                } else {
                    #expect(try EncodedBytes.base64(SecretBytes(utf8: text), repairs: &repairs).reveal() == bytes)
                }
            }
        }
        #expect(Base64.encode(bytes) == whole)
        #expect(Base64.encode(bytes, padded: false) == bare)
    }
}
