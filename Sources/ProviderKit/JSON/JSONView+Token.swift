import Provisioning

extension JSONView {
    /// The text where it is a word, as statuses, codes and reasons are, and holds no card number.
    public var word: String? { UpstreamReport(status: nil, code: string).code }

    /// The text where it is a word that names something, as ids and references do. One in ten rows of 13 to 19 digits
    /// passes for a card number, so within a name such a row is none: only a text without a letter is refused for it.
    public var identifier: String? {
        guard let text = string, UpstreamReport.isWord(text) else { return nil }
        let hasLetter = text.utf8.contains { (0x41...0x5a).contains($0 & 0xdf) }
        return hasLetter || !CardNumber.occurs(in: text.utf8) ? text : nil
    }

    /// The text where it is four digits.
    public var lastFour: String? {
        guard let text = string, text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text
    }
}
