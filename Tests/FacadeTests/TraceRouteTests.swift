import Gateway
import ProviderKit
import Provisioning
import Testing

@testable import Facade

/// W3C trace context at the facade: in, out, answered and logged.
struct TraceRouteTests {
    private static let path = "/v1/cards/c1/provisionings"
    private static let body =
        #"{"wallet":"google_pay","google_pay":{"wallet_id":"canary-wallet","device_id":"canary-device"}}"#
    static let caller = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @Test func aValidTraceIsContinuedWithASpanOfOurs() async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await fixture.send(
                "POST", Self.path, headers: [(name: "traceparent", value: Self.caller)], body: Self.body)
            #expect(answer.status == 201)
            let passed = try #require(fixture.provider.asked.first?.traceparent)
            let parts = passed.split(separator: "-")
            #expect(passed.hasPrefix("00-0af7651916cd43dd8448eb211c80319c-") && parts.count == 4)
            #expect(parts[2].count == 16 && parts[2] != "b7ad6b7169203331" && parts[3] == "01")
            #expect(answer.header("Traceparent") == passed)
            let line = try #require(fixture.log.last)
            #expect(line.trace?.traceID == "0af7651916cd43dd8448eb211c80319c" && line.trace?.spanID == String(parts[2]))
            #expect(line.json.contains(#""trace_id":"0af7651916cd43dd8448eb211c80319c","span_id":"\#(parts[2])""#))
        }
    }

    @Test(arguments: [
        [], ["00-00000000000000000000000000000000-b7ad6b7169203331-01"], ["canary"],
        [TraceRouteTests.caller, TraceRouteTests.caller],
    ])
    func anythingElseIsIgnored(fields: [String]) async throws {
        try await FacadeFixture.run { fixture in
            _ = await fixture.makeCard("c1")
            let answer = await fixture.send(
                "POST", Self.path, headers: fields.map { (name: "traceparent", value: $0) }, body: Self.body)
            #expect(answer.status == 201)
            #expect(fixture.provider.asked.map(\.traceparent) == [nil])
            #expect(answer.header("Traceparent") == nil)
            #expect(fixture.log.last?.json.contains(#""trace_id":null,"span_id":null"#) == true)
        }
    }
}
