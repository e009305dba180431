import ProviderKit
import SecretMemory
import Testing

@testable import JSON

/// What the parser reads, and what it refuses.
@Suite struct JSONParserTests {
    let parser = JSONParser()

    private func parse(_ text: String) throws -> JSONView { try parser.parse(SecretBytes(utf8: text)).root }

    @Test func readsEveryKindOfValue() throws {
        let root = try parse(
            #" {"text":"a\"\u00e9\n","number":42,"big":18446744073709551615,"real":1.5,"yes":true,"no":false,"nothing":null,"list":[1,[2],{}],"object":{"inner":"x"}} "#
        )
        #expect(root["text"]?.string == "a\"é\n")
        #expect(root["number"]?.integer == 42)
        #expect(root["big"]?.integer == nil)
        #expect(root["big"]?.double == 18_446_744_073_709_551_616)
        #expect(root["real"]?.double == 1.5)
        #expect(root["yes"]?.bool == true)
        #expect(root["no"]?.bool == false)
        #expect(root["nothing"]?.isNull == true)
        #expect(root["list"]?.elements?.count == 3)
        #expect(root["list"]?.elements?[1].elements?[0].integer == 2)
        #expect(root["object"]?["inner"]?.equals("x") == true)
        #expect(root["absent"] == nil)
        #expect(root["number"]?.string == nil)
        #expect(root["text"]?["inner"] == nil)
        #expect(root.members?.map(\.name).last == "object")
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "{\"a\":1,}", "{'a':1}", "{\"a\" 1}", "nul", "01", "1 2", "{} {}", "{}x",
        "\"\u{1}\"",
        "[1", "\"\\x\"", "NaN", "-", "+1", ".5", "1.", "\u{feff}{}", "{\"a\":1}\u{0}",
    ])
    func refusesWhatIsNotOneValue(_ text: String) {
        #expect(throws: JSONFault.malformed) { try parser.parse(SecretBytes(utf8: text)) }
    }

    @Test func refusesBytesThatAreNotUTF8() {
        #expect(throws: JSONFault.malformed) { try parser.parse(SecretBytes([0x22, 0xff, 0xfe, 0x22])) }
        #expect(throws: JSONFault.malformed) { try parser.parse(SecretBytes([0x22, 0xed, 0xa0, 0x80, 0x22])) }
    }

    @Test func boundsDepthAndSize() throws {
        let deep = String(repeating: "[", count: 63) + "1" + String(repeating: "]", count: 63)
        _ = try parse(deep)
        #expect(throws: JSONFault.tooDeep) { try parse("[" + deep + "]") }
        #expect(throws: JSONFault.tooDeep) { try parse(String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)) }
        let small = JSONParser(sizeLimit: 10)
        #expect(throws: JSONFault.tooLarge) { try small.parse(SecretBytes(utf8: "[1,2,3,4,5,6]")) }
    }

    @Test(arguments: ["123456789012345678901234567890", "-123456789012345678901234567890"])
    func readsWholeNumbersBeyond64BitsAsDoubles(_ number: String) throws {
        let root = try parse("{\"a\":\(number),\"b\":\"123456789012345678901234567890\",\"c\":1.5e3}")
        let value = try #require(root["a"]?.double)
        let expected = try #require(Double(number))
        #expect(abs(value - expected) <= abs(expected) * 1e-15)
        #expect(root["b"]?.string == "123456789012345678901234567890")
        #expect(root["c"]?.double == 1500)
    }

    @Test(arguments: [
        ("{\"b\":1,\"a\":[1.0,1e0,true,null]}", "{ \"a\" : [1, 1, true, null], \"b\" : 1.0 }"),
        ("{\"a\":\"\\u00e9\"}", "{\"a\":\"é\"}"),
        ("{\"a\":\"x\\/y\"}", "{\"a\":\"x/y\"}"),
    ])
    func givesTextsThatMeanTheSameOneCanonicalForm(_ left: String, _ right: String) throws {
        #expect(try parse(left).canonical == parse(right).canonical)
    }

    @Test(arguments: [("{\"a\":1}", "{\"a\":2}"), ("[1,2]", "[2,1]"), ("{\"a\":\"1\"}", "{\"a\":1}"), ("1.5", "1.25")])
    func givesOtherTextsAnotherCanonicalForm(_ left: String, _ right: String) throws {
        #expect(try parse(left).canonical != parse(right).canonical)
    }

    @Test func namesDuplicateMembersByPointer() throws {
        let root = try parse("{\"a\":1,\"b\":[{\"x/y\":1,\"x/y\":2}],\"a\":{\"c~\":0,\"c~\":0}}")
        #expect(root.duplicateMembers == ["/b/0/x~1y", "/a", "/a/c~0"])
        #expect(root["a"]?.integer == 1)
    }

    @Test func showsNothingOfTheTextInDescriptions() throws {
        let root = try parse("{\"nonce\":\"canary-4111111111111111\"}")
        #expect(!"\(root["nonce"] as Any)".contains("canary"))
        #expect(!String(reflecting: root.canonical).contains("canary"))
    }
}
