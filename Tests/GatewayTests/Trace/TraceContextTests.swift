import ProviderKit
import Testing

@testable import Gateway

struct TraceContextTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    private func context(_ fields: (String, String)...) -> TraceContext? {
        TraceContext(continuing: fields.map { (name: $0.0, value: $0.1) }) { [UInt8](repeating: 0xab, count: $0) }
    }

    @Test(arguments: [
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "01"),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff", "03"),
        ("01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", "01"),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more", nil),
        ("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", nil),
        ("00-00000000000000000000000000000000-b7ad6b7169203331-01", nil),
        ("00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", nil),
        ("00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", nil),
        ("00-0af7651916cd43dd8448eb211c80319-b7ad6b7169203331-01", nil),
        ("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331", nil), ("", nil), ("-", nil),
    ])
    func continuesOnlyWellFormedTraces(value: String, flags: String?) {
        let expected = flags.map { "00-\(Self.trace)-abababababababab-\($0)" }
        #expect(context(("traceparent", value))?.traceparent == expected)
    }

    @Test func aDoubledFieldIsNone() {
        let value = "00-\(Self.trace)-b7ad6b7169203331-01"
        #expect(context(("traceparent", value), ("traceparent", value)) == nil)
        #expect(context(("tracestate", "a=1")) == nil)
    }

    @Test(arguments: [
        (["a=1,b=2"], "a=1,b=2"), (["a=1", "b=2"], "a=1,b=2"), ([" a=1 , b=2"], "a=1 ,b=2"), (["a"], nil), ([""], nil),
        (["a=\u{7f}"], nil), (["a=" + String(repeating: "x", count: 520)], nil),
        ([(0..<33).map { "k\($0)=1" }.joined(separator: ",")], nil),
    ])
    func theStateIsPassedOnWhereItIsWellFormed(fields: [String], state: String?) {
        var all = [(name: "traceparent", value: "00-\(Self.trace)-b7ad6b7169203331-01")]
        all += fields.map { (name: "tracestate", value: $0) }
        let context = TraceContext(continuing: all) { [UInt8](repeating: 1, count: $0) }
        #expect(context != nil && context?.state == state)
    }

    @Test func aRequestThatHasATraceKeepsIt() throws {
        let found = context(("traceparent", "00-\(Self.trace)-b7ad6b7169203331-01"), ("tracestate", "a=1"))
        let trace = try #require(found)
        let bare = UpstreamRequest(.get, "https://a.example", deadline: .now)
        #expect(
            trace.added(to: bare).headers == [
                .init("traceparent", trace.traceparent), .init("tracestate", "a=1"),
            ])
        let told = UpstreamRequest(
            .get, "https://a.example", headers: [.init("Traceparent", trace.traceparent)], deadline: .now)
        #expect(trace.added(to: told).headers.count == 2)
    }

    @Test func anIDIsNeverAllZeros() {
        let context = TraceContext(continuing: [(name: "traceparent", value: "00-\(Self.trace)-b7ad6b7169203331-00")]) {
            [UInt8](repeating: 0, count: $0)
        }
        #expect(context?.traceparent == "00-\(Self.trace)-0000000000000001-00")
    }
}
