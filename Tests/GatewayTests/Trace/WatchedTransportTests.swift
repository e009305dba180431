import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Synchronization
import Testing

@testable import Gateway

struct WatchedTransportTests {
    private struct Still: WallClock {
        let now: Timestamp
    }

    private func answer(_ headers: [(name: String, value: String)]) -> UpstreamResponse {
        UpstreamResponse(status: 200, headers: headers, body: SecretBytes([]))
    }

    /// 2026-01-31T10:30:30Z.
    private static let date = "Sat, 31 Jan 2026 10:30:30 GMT"
    private static let moment = Timestamp(milliseconds: 1_769_855_430_500)

    @Test(arguments: [(0, 0.0), (90_000, -90.0), (-3_600_000, 3600.0)] as [(Int64, Double)])
    func comparesClocks(shift: Int64, skew: Double) {
        let remote = RemoteClock()
        #expect(remote.skew == nil)
        let now = Self.moment.adding(milliseconds: shift)
        remote.look(at: answer([(name: "date", value: Self.date)]), now: now)
        #expect(remote.skew?.seconds == skew && remote.skew?.measuredAt == now)
    }

    @Test func looksNoMoreThanOnceInFiveSeconds() {
        let remote = RemoteClock()
        for shift in [0, 4_999, 5_000] as [Int64] {
            remote.look(
                at: answer([(name: "date", value: Self.date)]), now: Self.moment.adding(milliseconds: shift))
            #expect(remote.skew?.seconds == (shift == 5_000 ? -5 : 0))
        }
    }

    @Test func aCachedOrUnreadableDateSaysNothing() {
        let remote = RemoteClock()
        remote.look(at: answer([]), now: Self.moment)
        remote.look(at: answer([(name: "date", value: "yesterday")]), now: Self.moment)
        remote.look(at: answer([(name: "date", value: Self.date), (name: "age", value: "9")]), now: Self.moment)
        #expect(remote.skew == nil)
    }

    @Test func everyCallOfATracedRequestTellsIt() async throws {
        let seen = Mutex<[String?]>([])
        let scripted = ScriptedTransport { request in
            let field = request.headers.first { $0.name == "traceparent" }?.value.reveal()
            seen.withLock { $0.append(field) }
            return .answer(200, "")
        }
        let transport = WatchedTransport(transport: scripted, remote: RemoteClock(), clock: Still(now: Self.moment))
        let request = UpstreamRequest(.get, "https://a.example", deadline: .now + .seconds(1))
        let trace = try #require(
            TraceContext(continuing: [
                (name: "traceparent", value: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
            ]) { [UInt8](repeating: 2, count: $0) })
        _ = try await TraceContext.$current.withValue(trace) { try await transport.send(request) }
        _ = try await transport.send(request)
        #expect(seen.withLock { $0 } == [trace.traceparent, nil])
    }
}
