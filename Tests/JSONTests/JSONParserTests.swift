import JSON
import ProviderKit
import SecretMemory
import Testing

struct JSONParserTests {
    private func parse(_ text: String) throws(JSONFault) -> JSONView {
        try JSONParser().parse(SecretBytes(utf8: text)).root
    }

    @Test func readsEveryKindOfValue() throws {
        let root = try parse(
            #" { "a" : null, "b":[true,false], "c":-12, "d":18446744073709551615, "e":0.5, "f":"x", "g":{} } "#)
        #expect(root.members?.map(\.name) == ["a", "b", "c", "d", "e", "f", "g"])
        #expect(root["a"]?.isNull == true)
        #expect(root["b"]?.elements?.map(\.bool) == [true, false])
        #expect(root["c"]?.integer == -12)
        #expect(root["d"]?.kind == .unsignedInteger)
        #expect(root["d"]?.unsignedInteger == .max)
        #expect(root["d"]?.integer == nil)
        #expect(root["e"]?.double == 0.5)
        #expect(root["f"]?.string == "x")
        #expect(root["g"]?.members?.isEmpty == true)
        #expect(root["h"] == nil)
    }

    @Test(arguments: ["null", " 7 ", "\"x\"", "[]", "true\n", "-0.5e-3"])
    func readsAnyValueAtTheRoot(_ text: String) throws {
        _ = try parse(text)
    }

    @Test func findsMembersBehindNestedOnes() throws {
        let root = try parse(#"{"a":{"x":[1,[2,{"y":3}]]},"b":[[],{},[{}]],"c":"last"}"#)
        #expect(root["c"]?.string == "last")
        #expect(root["a"]?["x"]?.elements?[1].elements?[1]["y"]?.integer == 3)
        #expect(root["b"]?.elements?.count == 3)
    }

    @Test func unescapesStrings() throws {
        let root = try parse(#"["\"\\\/\b\f\n\r\t", "\u0041\u00e9\u20ac", "\ud83d\ude00", "a\u0000b", "", "é€😀"]"#)
        let texts = root.elements?.map(\.string)
        #expect(texts == ["\"\\/\u{8}\u{c}\n\r\t", "Aé€", "😀", "a\0b", "", "é€😀"])
    }

    @Test func readsStringsOfEveryLengthWhereverTheyStand() throws {
        for count in 0...200 {
            let texts = [String(repeating: "é", count: count), "\\" + String(repeating: "\"", count: count), "end"]
            var json = JSONWriter()
            json.array { json in for text in texts { json.value(text) } }
            #expect(try JSONParser().parse(json.finish()).root.elements?.map(\.string) == texts)
        }
    }

    @Test(arguments: [
        "", " ", "{", "}", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "'a'", "nul", "nulll", "tru", "01", "-",
        "+1",
        "1.", ".5", "1e", "0x10", "NaN", "Infinity", "[1}", "\"a", "\"\\x\"", "\"\\u12\"", "\"a\nb\"", "1 2", "{} {}",
        "[] x", "null,", "{\"a\":1,}", "[,1]", "// c\n1", "\u{feff}{}", "[-]", "[01]", "[00000000000000000000001]",
        "[123456789012345678901x]", "[123456789012345678901.]", "[1e400e]", "{\"a\" 1}", "\0", "[\"\u{1}\"]",
    ])
    func refusesWhatIsNotJSON(_ text: String) {
        #expect(throws: JSONFault.malformed) { try parse(text) }
    }

    @Test(arguments: [
        #""\ud800""#, #""\udc00""#, #""\ud800\ud800""#, #""\ud800A""#, #""\udc00\ud800""#, #"{"\udfff":1}"#,
    ])
    func refusesSurrogatesWithoutPartners(_ text: String) {
        #expect(throws: JSONFault.malformed) { try parse(text) }
    }

    @Test(arguments: [
        [0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0x80],
        [0xf0, 0x80, 0x80, 0x80],
    ])
    func refusesBytesThatAreNoUTF8(_ bytes: [Int]) {
        let text = [0x22] + bytes.map { UInt8($0) } + [0x22]
        #expect(throws: JSONFault.malformed) { try JSONParser().parse(SecretBytes(text)) }
    }

    @Test func countsDepthExactly() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            _ = try parse(nested(64, open, close))
            #expect(throws: JSONFault.tooDeep) { try parse(nested(65, open, close)) }
            #expect(throws: JSONFault.tooDeep) { try parse(nested(20_000, open, close)) }
            #expect(throws: JSONFault.tooDeep) {
                try JSONParser(depthLimit: 2).parse(SecretBytes(utf8: nested(3, open, close)))
            }
        }
        #expect(throws: JSONFault.malformed) { try parse(String(repeating: "[", count: 100_000)) }
    }

    @Test func countsSizeExactly() throws {
        let parser = JSONParser(sizeLimit: 10)
        _ = try parser.parse(SecretBytes(utf8: "\"12345678\""))
        #expect(throws: JSONFault.tooLarge) { try parser.parse(SecretBytes(utf8: "\"123456789\"")) }
    }

    @Test func readsLargeTextsAndThenSmallOnes() throws {
        let large = "[" + Array(repeating: "\"0123456789\"", count: 20_000).joined(separator: ",") + "]"
        for _ in 0..<3 {
            let root = try parse(large)
            #expect(root.elements?.count == 20_000)
            #expect(root.elements?.last?.string == "0123456789")
            #expect(try parse("[1]").elements?.first?.integer == 1)
        }
    }

    @Test func readsOnManyThreadsAtOnce() async {
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<500).allSatisfy { round in
                        let text = "{\"task\":\(task),\"round\":[\(round),\"\(task)-\(round)\"]}"
                        let root = try? JSONParser().parse(SecretBytes(utf8: text)).root
                        return root?["task"]?.integer == task
                            && root?["round"]?.elements?[1].string == "\(task)-\(round)"
                    }
                }
            }
            for await sound in group { #expect(sound) }
        }
    }

    @Test func showsNothingOfTheTextInDescriptions() throws {
        let root = try parse(#"{"nonce":"canary-4111111111111111"}"#)
        #expect(!"\(root["nonce"] as Any)".contains("canary"))
        #expect(!String(reflecting: root.canonical).contains("canary"))
    }
}
