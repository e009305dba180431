public import Provisioning

/// The digits that ids are written in: Crockford's, in lower case, without the four letters that are misread.
public enum IDDigits {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// A digit for each byte, of five of its bits: for random bytes.
    public static func text(of bytes: [UInt8]) -> String {
        String(decoding: bytes.map { digits[Int($0 & 31)] }, as: UTF8.self)
    }

    /// So many digits of a number, the highest first: texts of one length sort as their numbers do.
    static func text(of number: Int64, count: Int) -> String {
        let shifts = (0..<count).reversed().map { Int64($0 * 5) }
        return text(of: shifts.map { UInt8(truncatingIfNeeded: number >> $0) })
    }

    /// How many random bytes an id takes.
    public static let randomBytes = 17

    /// An id: the prefix, the time and 85 random bits. Time first, so that ids sort by age.
    public static func id(_ prefix: String, at moment: Timestamp, random: [UInt8]) -> String {
        prefix + text(of: moment.milliseconds, count: 9) + text(of: random)
    }

    /// An id with random bits of the system's own.
    static func id(_ prefix: String, at moment: Timestamp) -> String {
        // Each draw is a system call: a word serves eight bytes.
        var generator = SystemRandomNumberGenerator()
        let words = (0..<(randomBytes + 7) / 8).map { _ in generator.next() as UInt64 }
        let random = (0..<randomBytes).map { UInt8(truncatingIfNeeded: words[$0 / 8] >> ($0 % 8 * 8)) }
        return id(prefix, at: moment, random: random)
    }
}
