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
}
