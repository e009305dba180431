import SecretMemory
import Testing

struct HexadecimalTests {
    @Test func readsAndWritesEveryByte() {
        let bytes = SecretBytes(0...255)
        let digits = Hexadecimal.encode(bytes)
        #expect(digits.count == 512)
        #expect(digits.revealText()?.hasPrefix("000102030405060708090a0b0c0d0e0f10") == true)
        #expect(Hexadecimal.decode(digits) == bytes)
        #expect(Hexadecimal.decode(SecretBytes(utf8: digits.revealText()?.uppercased() ?? "")) == bytes)
        #expect(Hexadecimal.decode(SecretBytes([]))?.isEmpty == true)
    }

    @Test(arguments: ["a", "abc", "0x00", "gg", "0 ", "é", "a/", "a:", "a@", "aG", "a`"])
    func refusesOtherText(_ text: String) {
        #expect(Hexadecimal.decode(SecretBytes(utf8: text)) == nil)
    }
}
