/// Recognizes what may be a card number, so that it is kept out of records, logs and fixtures.
public enum CardNumber: Sendable {
    /// Whether the text holds 13 to 19 digits in a row, single spaces, dots and hyphens aside, whose check digit is right.
    public static func occurs(in text: some Sequence<UInt8>) -> Bool {
        var run: [Int] = []
        var isSeparated = true
        for byte in text {
            switch byte {
            case 0x30...0x39:
                run.append(Int(byte - 0x30))
                isSeparated = false
            case 0x20 where !isSeparated, 0x2d where !isSeparated, 0x2e where !isSeparated: isSeparated = true
            default:
                if isCardNumber(run) { return true }
                run = []
                isSeparated = true
            }
        }
        return isCardNumber(run)
    }

    /// The check digit of ISO/IEC 7812.
    private static func isCardNumber(_ digits: [Int]) -> Bool {
        guard (13...19).contains(digits.count), digits.contains(where: { $0 != 0 }) else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { sum, item in
            let (index, digit) = item
            return sum + (index % 2 == 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2)
        }
        return sum % 10 == 0
    }
}
