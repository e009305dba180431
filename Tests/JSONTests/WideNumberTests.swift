import JSON
import ProviderKit
import SecretMemory
import Testing

struct WideNumberTests {
    private func parse(_ text: String) throws(JSONFault) -> JSONView {
        try JSONParser().parse(SecretBytes(utf8: text)).root
    }

    @Test(arguments: [
        ("9223372036854775807", 0x1p63), ("-9223372036854775808", -0x1p63), ("18446744073709551615", 0x1p64),
        ("18446744073709551616", 0x1p64), ("-9223372036854775809", -0x1p63),
        ("123456789012345678901234567890", 123456789012345678901234567890.0),
        ("1e400", Double.greatestFiniteMagnitude), ("-1e400", -Double.greatestFiniteMagnitude),
        ("1e99999999999999999999", Double.greatestFiniteMagnitude), ("1e-400", 0), ("1e-99999999999999999999", 0),
        ("0e99999", 0), ("12E+2", 1200), ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
    ])
    func readsNumbersOfAnySize(_ text: String, _ value: Double) throws {
        #expect(try parse(text).double == value)
        // Beside a number that makes the text be read a second time.
        let pair = try parse("[\(text),1e400,340282366920938463463374607431768211456]")
        #expect(pair.elements?.map(\.double) == [value, .greatestFiniteMagnitude, 0x1p128])
    }

    @Test func readsNumbersOfVeryManyDigits() throws {
        let ones = String(repeating: "1", count: 1_000)
        let zeros = String(repeating: "0", count: 1_000)
        #expect(try parse("[\(ones)]").elements?[0].double == .greatestFiniteMagnitude)
        #expect(try parse("[\(ones),\(ones)e-999]").elements?[1].double == 1.1111111111111112)
        #expect(try parse("[\(ones),0.\(zeros)1]").elements?[1].double == 0)
        #expect(try parse("[\(ones),0.\(zeros)1e1001]").elements?[1].double == 1)
        #expect(try parse("[\(ones)e-10]").elements?[0].double == .greatestFiniteMagnitude)
    }

    @Test func keepsTheRestOfTheTextAsItIs() throws {
        let root = try parse(
            #"{"18446744073709551616":"1e400","n":18446744073709551616,"q":"a\"1e400\\","small":7,"exact":9007199254740993}"#
        )
        #expect(root["18446744073709551616"]?.string == "1e400")
        #expect(root["q"]?.string == "a\"1e400\\")
        #expect(root["small"]?.kind == .integer)
        #expect(root["exact"]?.integer == 9_007_199_254_740_993)
        #expect(root["n"]?.integer == nil)
    }

    @Test func staysWithinTheSizeThatWasGiven() throws {
        let many = "[" + Array(repeating: "1e400", count: 30_000).joined(separator: ",") + "]"
        #expect(try parse(many).elements?.count == 30_000)
    }
}
