import ProviderKit
import Provisioning
import SecretMemory
import Testing

@testable import Gateway

@Suite struct DeliveryScheduleTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    /// Without jitter: the schedule as the specification has it.
    @Test(arguments: [
        (1, Int64(5)), (2, 300), (3, 1800), (4, 7200), (5, 18_000), (6, 36_000), (7, 50_400), (8, 72_000),
        (9, 86_400),
    ])
    func eachTryComesAtItsTime(_ tries: Int, _ seconds: Int64) {
        let schedule = DeliverySchedule { $0.lowerBound }
        #expect(schedule.next(after: tries, at: Self.now) == Self.now.adding(milliseconds: seconds * 1000))
    }

    @Test(arguments: [-1, 0, 10, 11, 1000])
    func beforeTheFirstAndAfterTheTenthThereIsNone(_ tries: Int) {
        #expect(DeliverySchedule { $0.lowerBound }.next(after: tries, at: Self.now) == nil)
    }

    @Test func jitterPutsOffByAFifthAtMost() {
        let latest = DeliverySchedule { $0.upperBound }
        #expect(latest.next(after: 2, at: Self.now) == Self.now.adding(milliseconds: 360_000))
        for _ in 0..<100 {
            let next = DeliverySchedule().next(after: 2, at: Self.now)
            let delay = (next?.milliseconds ?? 0) - Self.now.milliseconds
            #expect((300_000...360_000).contains(delay))
        }
    }

    @Test(arguments: [
        (Duration.seconds(3), Int64(5000)), (.seconds(5), 5000), (.seconds(120), 120_000), (.zero, 5000),
    ])
    func aLongerWaitThatWasAskedForIsKept(_ wait: Duration, _ milliseconds: Int64) {
        let next = DeliverySchedule { $0.lowerBound }.next(after: 1, at: Self.now, asked: wait)
        #expect(next == Self.now.adding(milliseconds: milliseconds))
    }

    @Test func askingToWaitMakesNoFurtherTry() {
        #expect(DeliverySchedule { $0.lowerBound }.next(after: 10, at: Self.now, asked: .seconds(60)) == nil)
    }

    @Test(arguments: [
        (200, DeliveryVerdict.delivered), (201, .delivered), (204, .delivered), (299, .delivered), (410, .gone),
        (301, .failed(wait: nil)), (302, .failed(wait: nil)), (304, .failed(wait: nil)), (307, .failed(wait: nil)),
        (400, .failed(wait: nil)), (401, .failed(wait: nil)), (404, .failed(wait: nil)), (500, .failed(wait: nil)),
        (502, .failed(wait: nil)), (599, .failed(wait: nil)), (429, .failed(wait: .seconds(7))),
        (503, .failed(wait: .seconds(7))),
    ])
    func anAnswerIsJudgedByItsStatus(_ status: Int, _ expected: DeliveryVerdict) {
        let response = UpstreamResponse(
            status: status, headers: [("retry-after", "7"), ("location", "https://example.com/")],
            body: SecretBytes(utf8: "{\"ok\":true}"))
        #expect(DeliveryVerdict.of(response, at: Self.now) == expected)
    }

    @Test(arguments: [
        ("Tue, 19 Jan 2027 08:00:30 GMT", DeliveryVerdict.failed(wait: .seconds(30))), ("x", .failed(wait: nil)),
        ("99999999", .failed(wait: .seconds(3600))),
    ])
    func aWaitIsReadInEveryForm(_ text: String, _ expected: DeliveryVerdict) throws {
        let now = try #require(Timestamp(rfc3339: "2027-01-19T08:00:00.000Z"))
        let response = UpstreamResponse(status: 429, headers: [("retry-after", text)], body: SecretBytes([]))
        #expect(DeliveryVerdict.of(response, at: now) == expected)
    }
}
