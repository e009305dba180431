import Sandbox
import SecretMemory
import Testing

struct EmulatedRequestTests {
    @Test func parametersArePercentDecoded() {
        let request = EmulatedRequest(
            method: "GET", path: "/a", query: "created_at.after=2026-01-01T00%3A00%3A00Z&x=a+b&y")
        #expect(request.parameters?.map(\.name) == ["created_at.after", "x", "y"])
        #expect(request.parameters?.map(\.value) == ["2026-01-01T00:00:00Z", "a b", ""])
    }

    @Test func aQueryThatCannotBeDecodedIsNil() {
        #expect(EmulatedRequest(method: "GET", path: "/a", query: "x=%zz").parameters == nil)
    }

    @Test func aFormIsReadFromTheBody() {
        func form(_ body: String) -> [String]? {
            EmulatedRequest(method: "POST", path: "/a", query: "z=9", body: SecretBytes(utf8: body)).form?
                .map { "\($0.name)=\($0.value)" }
        }
        #expect(form("card=ic_1&expand%5B%5D=a+b&y") == ["card=ic_1", "expand[]=a b", "y="])
        #expect(form("") == [])
        #expect(form("x=%zz") == nil)
    }

    @Test func aFieldThatIsSentTwiceIsNotRead() {
        let request = EmulatedRequest(method: "GET", path: "/a", headers: [("x", "1"), ("x", "2"), ("y", "3")])
        #expect(request.header("x") == nil && request.header("y") == "3")
    }
}
