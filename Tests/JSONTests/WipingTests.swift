import CSimdjson
import Testing

struct WipingTests {
    @Test(arguments: [#"{"pan":"4242424242424242"}"#, #"{"pan":"4242424242424242","n":1e400}"#])
    func leavesNoStringBehind(_ text: String) throws {
        let bytes = Array(text.utf8)
        var result = passgate_json_result()
        #expect(passgate_json_parse(bytes, bytes.count, 64, &result) == PASSGATE_JSON_OK)
        let held = UnsafeBufferPointer(start: result.text, count: result.text_count)
        #expect(held.contains(UInt8(ascii: "4")))
        passgate_json_wipe()
        // The buffer of a small text is kept for the next one, and must be blank by now.
        #expect(held.allSatisfy { $0 == 0 })
    }
}
