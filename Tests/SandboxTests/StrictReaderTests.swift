import JSON
import ProviderKit
import Sandbox
import SecretMemory
import Testing

struct StrictReaderTests {
    private func view(_ text: String) throws -> JSONView { try JSONParser().parse(SecretBytes(utf8: text)).root }

    @Test func unknownAndRepeatedMembersAreProblems() throws {
        var reader = StrictReader()
        let members = reader.members(of: try view(#"{"a":1,"a":2,"b":3}"#), at: "x", known: ["a"])
        #expect(members?.count == 1)
        #expect(reader.problems.map(\.field) == ["x.a", "x.b"])
    }

    @Test(arguments: ["++++AP8=", "AAAA", "AA=="])
    func standardBase64IsRead(text: String) throws {
        var reader = StrictReader()
        #expect(reader.base64(try view("\"\(text)\""), at: "nonce") != nil && reader.problems.isEmpty)
    }

    @Test(arguments: ["++++AP8", "----AP8=", #"++++\nAP8="#, "+++ AP8=", "AB==", "=", "fbe"])
    func everyOtherFormIsRefused(text: String) throws {
        var reader = StrictReader()
        #expect(reader.base64(try view("\"\(text)\""), at: "nonce") == nil)
        #expect(reader.problems.map(\.field) == ["nonce"])
    }

    @Test func anEmptyTextIsRefused() throws {
        var reader = StrictReader()
        #expect(reader.text(try view(#""""#), at: "name") == nil && reader.problems.count == 1)
        #expect(reader.text(nil, at: "other", required: false) == nil && reader.problems.count == 1)
    }
}
