import Foundation
import SecretMemory
import Testing

struct Base64Tests {
    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func readsAndWritesTheVectorsOfRFC4648(_ text: String, _ digits: String) {
        #expect(Base64.encode(Array(text.utf8)) == digits)
        #expect(Base64.decode(SecretBytes(utf8: digits)) == SecretBytes(utf8: text))
    }

    /// Foundation is the second implementation.
    @Test(arguments: 0...66) func agreesWithFoundationInEveryLength(_ count: Int) {
        for seed in 0..<8 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 167 &+ seed &* 59) ^ ($0 >> 1)) }
            let standard = Data(bytes).base64EncodedString()
            let urlSafe = standard.replacing("+", with: "-").replacing("/", with: "_")
            for (alphabet, padded) in [(Base64.Alphabet.standard, standard), (.urlSafe, urlSafe)] {
                let unpadded = String(padded.prefix { $0 != "=" })
                #expect(Base64.encode(bytes, alphabet: alphabet) == padded)
                #expect(Base64.encode(bytes, alphabet: alphabet, padded: false) == unpadded)
                for digits in [padded, unpadded] {
                    let decoded = Base64.decode(SecretBytes(utf8: digits), alphabet: alphabet)
                    #expect(decoded == SecretBytes(bytes))
                }
            }
        }
    }

    @Test func readsAndWritesEveryDigit() {
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
        for (alphabet, last) in [(Base64.Alphabet.standard, "+/"), (.urlSafe, "-_")] {
            let bytes = Base64.decode(SecretBytes(utf8: digits + last), alphabet: alphabet)
            #expect(bytes?.count == 48)
            #expect(bytes.map { Base64.encode($0, alphabet: alphabet) } == SecretBytes(utf8: digits + last))
        }
    }

    @Test func writesBehindWhatIsThere() {
        var builder = SecretBuilder(capacity: 0)
        builder.append("\"")
        Base64.encode(Array("foob".utf8).span, into: &builder)
        Base64.encode(Array("foob".utf8).span, padded: false, into: &builder)
        builder.append("\"")
        #expect(builder.finish().revealText() == "\"Zm9vYg==Zm9vYg\"")
    }

    @Test(arguments: [
        "A", "AAAAA", "=", "==", "===", "====", "A=", "A==", "A===", "AA=", "AA===", "AAA==", "AAAA=", "AAAA==",
        "AAAA====", "AA==AA==", "=AAA", "A=AA", "AA=A", "AAAA\n", "AA AA", " AAAA", "AAAA ", "AA\tA", "AAA\0", "AAAé",
        "AB", "AAB", "AB==", "AAB=", "////=", "AA-_AA+/", "AAA*", "AAA,", "\"AAA\"",
    ])
    func refusesWhatIsNotExactlyBase64(_ digits: String) {
        #expect(Base64.decode(SecretBytes(utf8: digits)) == nil)
        #expect(Base64.decode(SecretBytes(utf8: digits), alphabet: .urlSafe) == nil)
    }

    @Test func refusesTheOtherAlphabet() {
        for digits in ["+A==", "/A==", "AA+A", "AA/A"] {
            #expect(Base64.decode(SecretBytes(utf8: digits)) != nil)
            #expect(Base64.decode(SecretBytes(utf8: digits), alphabet: .urlSafe) == nil)
        }
        for digits in ["-A==", "_A==", "AA-A", "AA_A"] {
            #expect(Base64.decode(SecretBytes(utf8: digits), alphabet: .urlSafe) != nil)
            #expect(Base64.decode(SecretBytes(utf8: digits)) == nil)
        }
    }
}
