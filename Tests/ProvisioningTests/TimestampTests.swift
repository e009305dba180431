import Provisioning
import Testing

@Suite struct TimestampTests {
    @Test(
        arguments: [
            ("1970-01-01T00:00:00.000Z", 0), ("2026-01-31T10:20:30.456Z", 1_769_854_830_456),
            ("2024-02-29T23:59:59.999Z", 1_709_251_199_999), ("1969-12-31T23:59:59.999Z", -1),
            ("2000-03-01T00:00:00.000Z", 951_868_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func readsAndWritesTheSameText(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test(arguments: [
        ("2026-01-31T12:20:30+02:00", "2026-01-31T10:20:30.000Z"),
        ("2026-01-31T05:50:30.4-04:30", "2026-01-31T10:20:30.400Z"),
        ("2026-01-01T00:30:00.123456789+01:00", "2025-12-31T23:30:00.123Z"),
        ("2026-01-31T10:20:30-00:00", "2026-01-31T10:20:30.000Z"),
    ])
    func readsOffsetsAndFractions(text: String, utc: String) {
        #expect(Timestamp(rfc3339: text)?.rfc3339 == utc)
    }

    @Test(arguments: [
        "", "2026-01-31", "2026-01-31T10:20:30", "2026-01-31 10:20:30Z", "2026-01-31t10:20:30z",
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T23:60:00Z",
        "2016-12-31T23:59:60Z", "2026-01-31T10:20:30.Z", "2026-01-31T10:20:30.0123456789Z",
        "2026-01-31T10:20:30+2:00", "2026-01-31T10:20:30+24:00", "2026-01-31T10:20:30Z ", " 2026-01-31T10:20:30Z",
        "２026-01-31T10:20:30Z", "1769854830", "2026-1-31T10:20:30Z", "+2026-01-31T10:20:30Z",
    ])
    func refusesWhatIsNotAWholeTime(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func writesEveryDayOfFourCenturiesSoThatItReadsBack() {
        for day in stride(from: -146_097 as Int64, to: 146_097, by: 1) {
            let time = Timestamp(milliseconds: day * 86_400_000 + 43_210_987)
            guard Timestamp(rfc3339: time.rfc3339) == time else {
                Issue.record("\(time.rfc3339) does not read back")
                return
            }
        }
    }
}
