import SecretMemory
import Testing

struct SecretBytesTests {
    private struct Holder {
        let name = "holder"
        let bytes: SecretBytes
        let text: SecretText?
    }

    @Test func showsAPlaceholderHoweverItIsPrinted() {
        let secret = SecretBytes(utf8: "canary-1")
        let text = SecretText("canary-2")
        let holder = Holder(bytes: secret, text: text)
        var dumped = ""
        for value in [secret, text, holder, [secret], ["key": text], Optional(secret) as Any] as [Any] {
            dump(value, to: &dumped)
            dumped += "\(value) \(String(reflecting: value)) \(String(describing: value))"
        }
        #expect(!dumped.contains("canary"))
        #expect(!dumped.contains("99, 97, 110"), "the bytes of the text, as an array would show them")
        #expect(dumped.contains("«secret, 8 bytes»"))
    }

    @Test func givesBackWhatItTook() {
        let secret = SecretBytes([1, 2, 3])
        #expect(secret.count == 3)
        #expect(!secret.isEmpty)
        #expect(secret.reveal() == [1, 2, 3])
        #expect(secret.withSpan { $0[2] } == 3)
        #expect(SecretBytes(utf8: "é€").revealText() == "é€")
        #expect(SecretBytes([0xff]).revealText() == nil)
        #expect(SecretBytes([]).isEmpty)
        #expect(SecretBytes([]).revealText() == "")
    }

    @Test func emptiesTheArrayThatItTakes() {
        var bytes: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(taking: &bytes)
        #expect(bytes.isEmpty)
        #expect(secret.reveal() == [1, 2, 3])
    }

    @Test func comparesByContent() {
        #expect(SecretBytes([1, 2]) == SecretBytes([1, 2]))
        #expect(SecretBytes([1, 2]) != SecretBytes([1, 3]))
        #expect(SecretBytes([1, 2]) != SecretBytes([0, 2]))
        #expect(SecretBytes([1, 2]) != SecretBytes([1, 2, 0]))
        #expect(SecretBytes([]) == SecretBytes([]))
        #expect(SecretText("a") == SecretText("a"))
        #expect(SecretText("a") != SecretText("b"))
    }

    @Test func takesOnlyUTF8AsText() {
        #expect(SecretText(utf8: SecretBytes(utf8: "é"))?.reveal() == "é")
        #expect(SecretText(utf8: SecretBytes([0xc3])) == nil)
        #expect(SecretText("").isEmpty)
    }
}
