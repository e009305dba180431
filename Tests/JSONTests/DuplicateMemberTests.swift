import JSON
import ProviderKit
import SecretMemory
import Testing

struct DuplicateMemberTests {
    @Test(arguments: [
        (#"{"a":1,"a":1}"#, "/a"), (#"{"a":1,"b":2,"\u0061":3}"#, "/a"),
        (#"{"x":[0,{"p":{"q":1,"q":2}}]}"#, "/x/1/p/q"),
        (#"[[{"a/b~c":1,"a/b~c":2}]]"#, "/0/0/a~1b~0c"), (#"{"":1,"":2}"#, "/"),
    ])
    func pointsAtTheSecondMember(_ text: String, _ pointer: String) throws {
        #expect(try JSONParser().parse(SecretBytes(utf8: text)).root.duplicateMembers == [pointer])
    }

    @Test func namesAllOfThemInOrder() throws {
        let text = #"{"a":1,"b":[{"x":1,"x":2,"x":3}],"a":{"c":0,"c":0}}"#
        let root = try JSONParser().parse(SecretBytes(utf8: text)).root
        #expect(root.duplicateMembers == ["/b/0/x", "/b/0/x", "/a", "/a/c"])
        #expect(root["a"]?.integer == 1)
    }

    @Test(arguments: [
        "1", "[]", "{}", #"{"a":{"a":{"a":[{"a":1},{"a":1}]}}}"#, #"{"a":1,"A":1,"a ":1}"#, "[1,1]",
        "{\"\u{e9}\":1,\"e\u{301}\":2}",
    ])
    func findsNoneWhereNamesDiffer(_ text: String) throws {
        #expect(try JSONParser().parse(SecretBytes(utf8: text)).root.duplicateMembers == [])
    }

    @Test func isQuickWithVeryManyMembers() throws {
        let members = (0..<20_000).map { "\"\($0)\":0" }
        let parser = JSONParser()
        let distinct = try parser.parse(SecretBytes(utf8: "{\(members.joined(separator: ","))}")).root
        #expect(distinct.duplicateMembers == [])
        let twice = try parser.parse(SecretBytes(utf8: "{\((members + ["\"777\":1"]).joined(separator: ","))}")).root
        #expect(twice.duplicateMembers == ["/777"])
    }
}
