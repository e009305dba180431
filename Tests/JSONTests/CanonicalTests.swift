import JSON
import ProviderKit
import SecretMemory
import Testing

struct CanonicalTests {
    private func canonical(_ text: String) throws(JSONFault) -> String? {
        try JSONParser().parse(SecretBytes(utf8: text)).root.canonical.revealText()
    }

    @Test func sortsMembersByTheirBytes() throws {
        #expect(
            try canonical(#"{ "b" : 1, "a": {"z":[2, 1], "Z":null}, "é":0, "":true, "ab":false }"#)
                == #"{"":true,"a":{"Z":null,"z":[2,1]},"ab":false,"b":1,"é":0}"#)
        // By bytes U+FF61 stands before U+1F600, in UTF-16 after it.
        #expect(try canonical("{\"\u{1f600}\":1,\"\u{ff61}\":2}") == "{\"\u{ff61}\":2,\"\u{1f600}\":1}")
    }

    @Test(arguments: [
        ["1", "1.0", "1e0", "10e-1", "0.1e1"], ["0", "-0", "0.0", "-0.0", "0e5"], ["-12", "-1.2e1"],
        ["18446744073709551615"], ["1e20", "100000000000000000000", "100000000000000000000.0"],
        ["0.1", "1e-1", "0.10"],
        ["9223372036854775808", "9.223372036854775808e18"], ["9007199254740993"], ["1e400", "2e400"],
    ])
    func writesANumberOneWayOnly(_ spellings: [String]) throws {
        let forms = try Set(spellings.map { try canonical("[\($0)]") })
        #expect(forms.count == 1)
    }

    @Test func keepsDifferentNumbersApart() throws {
        let numbers = [
            "0", "1", "-1", "0.1", "0.10000000000000002", "9007199254740992", "9007199254740993",
            "18446744073709551615", "18446744073709551616", "1e300", "true", "null", "\"1\"", "[1]", "{\"1\":1}",
        ]
        #expect(try Set(numbers.map { try canonical("[\($0)]") }).count == numbers.count)
    }

    @Test func writesAStringOneWayOnly() throws {
        #expect(
            try canonical(#"["\u0041\/\u000a\u00e9\ud83d\ude00\u0001\u007f"]"#)
                == "[\"A/\\né😀\\u0001\u{7f}\"]")
    }

    @Test func doesNotDependOnOrderOrSpacingAndIsItsOwnCanonicalForm() throws {
        var random = SplitMix(state: 7)
        for _ in 0..<300 {
            let value = Sample.random(depth: 4, using: &random)
            let one = try #require(try canonical(value.text(using: &random)))
            let other = try #require(try canonical(value.text(using: &random)))
            #expect(one == other)
            #expect(try canonical(one) == one)
        }
    }

    @Test func changesWithTheValue() throws {
        var random = SplitMix(state: 8)
        var seen: [String: Sample] = [:]
        for _ in 0..<300 {
            let value = Sample.random(depth: 3, using: &random)
            let text = try #require(try canonical(value.text(using: &random)))
            if let other = seen[text] { #expect(other == value) }
            seen[text] = value
        }
        #expect(seen.count > 100)
    }
}

/// A JSON value whose text may be written in many ways.
private indirect enum Sample: Equatable {
    case null, truth(Bool), number(Int), text(String), list([Sample]), object([String: Sample])

    static func random(depth: Int, using random: inout SplitMix) -> Sample {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 4), using: &random) {
        case 0: return .null
        case 1: return .truth(.random(using: &random))
        case 2: return .number(.random(in: -1_000...1_000, using: &random))
        case 3: return .text(name(using: &random))
        case 4:
            return .list(
                (0..<Int.random(in: 0..<4, using: &random)).map { _ in Self.random(depth: depth - 1, using: &random) })
        default:
            var members: [String: Sample] = [:]
            for _ in 0..<Int.random(in: 0..<5, using: &random) {
                members[name(using: &random)] = Self.random(depth: depth - 1, using: &random)
            }
            return .object(members)
        }
    }

    private static func name(using random: inout SplitMix) -> String {
        String(
            (0..<Int.random(in: 0..<5, using: &random)).map { _ in "aAzé/\"\\\n😀~".randomElement(using: &random) ?? "x"
            })
    }

    func text(using random: inout SplitMix) -> String {
        let space = ["", " ", "\n\t"].randomElement(using: &random) ?? ""
        switch self {
        case .null: return space + "null"
        case .truth(let truth): return space + "\(truth)"
        case .number(let number):
            return space + (["\(number)", "\(number).0", "\(number)e0"].randomElement(using: &random) ?? "")
        case .text(let text): return space + Self.quoted(text, using: &random)
        case .list(let list): return "[" + list.map { $0.text(using: &random) }.joined(separator: ",") + space + "]"
        case .object(let members):
            let pairs = members.shuffled(using: &random).map { name, value in
                Self.quoted(name, using: &random) + space + ":" + value.text(using: &random)
            }
            return "{" + space + pairs.joined(separator: space + ",") + "}"
        }
    }

    private static func quoted(_ text: String, using random: inout SplitMix) -> String {
        let units = text.utf16.map { unit in
            let hex = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
        }
        guard Bool.random(using: &random) else { return "\"" + units.joined() + "\"" }
        var json = JSONWriter()
        json.value(text)
        return json.finishText()
    }
}

/// A generator that always gives the same numbers.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
