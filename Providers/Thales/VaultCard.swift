import SecretMemory

/// A card as the platform's vault gives it. It lives from the vault's answer until it is encrypted.
struct VaultCard: Sendable {
    /// 12 to 19 digits whose check digit is right.
    let number: SecretText
    /// `MMYY`
    let expiry: SecretText
    /// The name as it stands on the card.
    let cardholderName: SecretText

    /// Whether it is a card number: 12 to 19 digits with the check digit of ISO/IEC 7812.
    static func isNumber(_ text: Span<UInt8>) -> Bool {
        guard (12...19).contains(text.count), hasOnlyDigits(text) else { return false }
        var sum = 0
        for index in 0..<text.count {
            let digit = Int(text[index] - 0x30)
            let isDoubled = (text.count - index).isMultiple(of: 2)
            sum += !isDoubled ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
        }
        return sum > 0 && sum.isMultiple(of: 10)
    }

    /// Whether it is a month and a year: `MMYY`.
    static func isExpiry(_ text: Span<UInt8>) -> Bool {
        guard text.count == 4, hasOnlyDigits(text) else { return false }
        return (1...12).contains(Int(text[0] - 0x30) * 10 + Int(text[1] - 0x30))
    }

    private static func hasOnlyDigits(_ text: Span<UInt8>) -> Bool {
        for index in 0..<text.count where !(0x30...0x39).contains(text[index]) { return false }
        return true
    }
}
