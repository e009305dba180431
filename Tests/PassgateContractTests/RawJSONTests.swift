import Foundation
import PassgateContract
import Testing

/// Members cut out byte for byte.
@Suite struct RawJSONTests {
    @Test(arguments: [
        (#"{"a":1,"h":{"x":1.0 ,"y":"}\""},"b":2}"#, #"{"x":1.0 ,"y":"}\""}"#),
        (#"{ "h" : [ 1,[2] ] }"#, "[ 1,[2] ]"),
        (#"{"x":{"h":1},"y":"\"h\":2","h":-3.50}"#, "-3.50"),
        (#"{"h\\":"no","h":"caf\u00e9 \\"}"#, #""caf\u00e9 \\""#),
        (#"{"":0,"h":null}"#, "null"),
    ])
    func theMembersBytesAreKept(_ object: String, _ value: String) throws {
        _ = try JSONSerialization.jsonObject(with: Data(object.utf8))
        #expect(RawJSON.member("h", of: Data(object.utf8)) == Data(value.utf8))
    }

    @Test(arguments: ["{}", #"{"x":{"h":1}}"#, #"{"x":"h"}"#, "[]", ""])
    func whatIsNotThereIsNotFound(_ object: String) {
        #expect(RawJSON.member("h", of: Data(object.utf8)) == nil)
    }

    /// Whatever is thrown at it, it ends, and takes no byte that is not there.
    @Test func everyCutOfAnObjectEnds() {
        let object = Data(#"{"a":"\\","h":{"b":["\"",{}],"c":tru"#.utf8)
        for end in 0...object.count {
            let found = RawJSON.member("h", of: object.prefix(end))
            #expect((found?.count ?? 0) <= end)
        }
    }
}
