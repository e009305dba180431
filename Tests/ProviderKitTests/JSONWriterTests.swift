import JSON
import ProviderKit
import SecretMemory
import Testing

struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String? {
        var json = JSONWriter(capacity: 0)
        body(&json)
        return json.finish().revealText()
    }

    @Test func writesMembersInTheirOrder() {
        let text = written { json in
            json.object { json in
                json.member("text", "a")
                json.member("secret", SecretText("s"))
                json.member("number", -7)
                json.member("truth", true)
                json.member("bytes", base64: SecretBytes([1, 2, 3, 4]))
                json.member("raw", verbatim: SecretBytes(utf8: "{\"x\": 1}"))
                json.member("object", object: { $0.member("inner", 1) })
                json.member(
                    "array",
                    array: { json in
                        json.value(1)
                        json.value("two")
                        json.value(SecretText("three"))
                        json.value(0.5)
                        json.value(false)
                        json.null()
                        json.value(base64: SecretBytes([]))
                        json.object { _ in }
                        json.array { _ in }
                    })
                json.key("last")
                json.null()
            }
        }
        #expect(
            text == #"{"text":"a","secret":"s","number":-7,"truth":true,"bytes":"AQIDBA==","raw":{"x": 1},"#
                + #""object":{"inner":1},"array":[1,"two","three",0.5,false,null,"",{},[]],"last":null}"#)
    }

    @Test func writesNullForWhatIsNotThere() {
        let text = written { json in
            json.object { json in
                json.member("text", nil as String?)
                json.member("secret", nil as SecretText?)
                json.member("number", nil as Int?)
                json.member("truth", nil as Bool?)
            }
        }
        #expect(text == #"{"text":null,"secret":null,"number":null,"truth":null}"#)
        #expect(written { $0.value(Double.infinity) } == "null")
        #expect(written { $0.value(Double.nan) } == "null")
    }

    @Test func escapesWhatMustBeAndNothingElse() {
        let text = written { $0.value("\"\\/\n\r\t\u{0}\u{8}\u{1f}\u{7f}é😀\u{2028}") }
        #expect(text == #""\"\\/\n\r\t\u0000\u0008\u001f"# + "\u{7f}é😀\u{2028}\"")
        #expect(written { json in json.object { $0.member("a\"b", 1) } } == #"{"a\"b":1}"#)
        #expect(written { $0.value("") } == "\"\"")
    }

    @Test func writesWhatTheParserReadsBack() throws {
        for code in 0...0x7f {
            let character = try #require(Unicode.Scalar(UInt32(code)))
            for text in ["\(character)", "a\(character)b", "\(character)\(character)é"] {
                var json = JSONWriter()
                json.value(text)
                #expect(try JSONParser().parse(json.finish()).root.string == text)
            }
        }
        for number in [Int.min, -1, 0, 1, Int.max] {
            var json = JSONWriter()
            json.value(number)
            #expect(try JSONParser().parse(json.finish()).root.integer == number)
        }
        for number in [0.1, -1.5e300, Double.leastNonzeroMagnitude, 1e16, 123_456.789] {
            var json = JSONWriter()
            json.value(number)
            #expect(try JSONParser().parse(json.finish()).root.double == number)
        }
    }
}
