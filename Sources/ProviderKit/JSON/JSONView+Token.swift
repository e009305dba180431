import Provisioning

extension JSONView {
    /// The text where it is a word, as ids, statuses and references are: what is kept of a processor's answers.
    public var word: String? { UpstreamReport(status: nil, code: string).code }

    /// The text where it is four digits.
    public var lastFour: String? {
        guard let text = string, text.utf8.count == 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return text
    }
}
