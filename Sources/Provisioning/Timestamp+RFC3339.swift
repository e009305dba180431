/// Times as text: RFC 3339.
extension Timestamp {
    /// The moment as `2026-01-31T10:20:30.456Z`: UTC, with milliseconds.
    public var rfc3339: String {
        let day = 86_400_000 as Int64
        var rest = milliseconds % day
        if rest < 0 { rest += day }
        let (year, month, dayOfMonth) = Self.civil(daysSinceEpoch: (milliseconds - rest) / day)
        var text: [UInt8] = []
        text.reserveCapacity(24)
        func append(_ number: Int64, digits: Int) {
            var divisor = 1 as Int64
            for _ in 1..<digits { divisor *= 10 }
            while divisor > 0 {
                text.append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
                divisor /= 10
            }
        }
        append(year, digits: 4)
        text.append(0x2d)
        append(month, digits: 2)
        text.append(0x2d)
        append(dayOfMonth, digits: 2)
        text.append(0x54)
        append(rest / 3_600_000, digits: 2)
        text.append(0x3a)
        append(rest / 60_000 % 60, digits: 2)
        text.append(0x3a)
        append(rest / 1000 % 60, digits: 2)
        text.append(0x2e)
        append(rest % 1000, digits: 3)
        text.append(0x5a)
        return String(decoding: text, as: UTF8.self)
    }

    /// The moment that a text names, or nil unless it is `YYYY-MM-DDTHH:MM:SS`, a fraction of up to 9 digits or none,
    /// and `Z` or an offset such as `+02:00`. Digits beyond milliseconds are dropped; leap seconds are refused.
    public init?(rfc3339 text: String) {
        var scanner = Scanner(bytes: Array(text.utf8))
        guard scanner.bytes.count <= 40,
            let year = scanner.number(4), scanner.take(0x2d), let month = scanner.number(2), scanner.take(0x2d),
            let day = scanner.number(2), scanner.take(0x54), let hour = scanner.number(2), scanner.take(0x3a),
            let minute = scanner.number(2), scanner.take(0x3a), let second = scanner.number(2),
            let fraction = scanner.milliseconds(), let offset = scanner.offsetMinutes(), scanner.isAtEnd,
            year >= 1, (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = Self.daysSinceEpoch(year: year, month: month, day: day)
        let minutes = days * 1440 + hour * 60 + minute - offset
        self.init(milliseconds: (minutes * 60 + second) * 1000 + fraction)
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar. The year is taken to begin in March, so that the leap
    /// day is its last.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(daysSinceEpoch: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = daysSinceEpoch + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    /// Reads a time from left to right.
    private struct Scanner {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ byte: UInt8) -> Bool {
            guard position < bytes.count, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        mutating func digit() -> Int64? {
            guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
            position += 1
            return Int64(bytes[position - 1] - 0x30)
        }

        mutating func number(_ digits: Int) -> Int64? {
            var number = 0 as Int64
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// Zero where there is no fraction; nil where it is malformed.
        mutating func milliseconds() -> Int64? {
            guard take(0x2e) else { return 0 }
            var value = 0 as Int64
            var count = 0
            while let digit = digit() {
                if count < 3 { value = value * 10 + digit }
                count += 1
            }
            guard (1...9).contains(count) else { return nil }
            for _ in min(count, 3)..<3 { value *= 10 }
            return value
        }

        mutating func offsetMinutes() -> Int64? {
            if take(0x5a) { return 0 }
            let isNegative = take(0x2d)
            guard isNegative || take(0x2b) else { return nil }
            guard let hours = number(2), take(0x3a), let minutes = number(2), hours < 24, minutes < 60 else {
                return nil
            }
            return (isNegative ? -1 : 1) * (hours * 60 + minutes)
        }
    }
}
