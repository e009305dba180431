import JSON
import ProviderKit
import SecretMemory
import Testing

struct JSONViewTests {
    private func parse(_ text: String) throws -> JSONView { try JSONParser().parse(SecretBytes(utf8: text)).root }

    /// A wrong type reads as nil, and never stops anything: what upstream sends is not ours to trust.
    @Test(arguments: ["null", "true", "1", "18446744073709551615", "1.5", "\"x\"", "[]", "{}"])
    func readsAWrongTypeAsNil(_ text: String) throws {
        let value = try parse(text)
        let isNumber = [.integer, .unsignedInteger, .double].contains(value.kind)
        #expect(value.isNull == (text == "null"))
        #expect((value.bool != nil) == (text == "true"))
        #expect((value.integer != nil) == (text == "1"))
        #expect((value.double != nil) == isNumber)
        #expect((value.string != nil) == (text == "\"x\""))
        #expect((value.secretText != nil) == (text == "\"x\""))
        #expect((value.withUTF8 { $0.count } != nil) == (text == "\"x\""))
        #expect((value.elements != nil) == (text == "[]"))
        #expect((value.members != nil) == (text == "{}"))
        #expect(value["x"] == nil)
        #expect(value.equals("x") == (text == "\"x\""))
    }

    @Test func readsWholeNumbersHoweverTheyAreWritten() throws {
        #expect(try parse("[3,3.0,3e0,-3.0,-0.0,3.5,1e30]").elements?.map(\.integer) == [3, 3, 3, -3, 0, nil, nil])
        #expect(try parse("[3,3.0,-1]").elements?.map(\.unsignedInteger) == [3, 3, nil])
    }

    @Test func comparesStringsByTheirBytes() throws {
        let view = try parse("\"é\"")
        #expect(view.equals("é"))
        #expect(!view.equals("e\u{301}"))
        #expect(!view.equals("é "))
        #expect(!view.equals(""))
    }

    @Test func findsTheFirstMemberOfAName() throws {
        let view = try parse(#"{"a":{"b":1},"b":2,"b":3}"#)
        #expect(view["b"]?.integer == 2)
        #expect(view["a"]?["b"]?.integer == 1)
        #expect(view.members?.map(\.name) == ["a", "b", "b"])
    }

    /// A row of digits that happens to pass for a card number is part of a name, unless it is all there is.
    @Test(arguments: [
        ("SIMULATED378282246310005", true), ("0ca4d000-4111-1111-1111-1111aaaaaaaa", true), ("42", true),
        ("4111111111111111", false), ("4111-1111-1111-1111", false), ("", false), ("a b", false), ("a/b", false),
        (String(repeating: "a", count: 65), false),
    ])
    func readsAnIdentifierWhateverItsDigits(_ text: String, _ isRead: Bool) throws {
        #expect(try parse("\"\(text)\"").identifier == (isRead ? text : nil))
    }

    @Test func readsNoCardNumberAsAWord() throws {
        #expect(try parse("\"SIMULATED378282246310005\"").word == nil)
        #expect(try parse("\"card_declined\"").word == "card_declined")
    }
}
