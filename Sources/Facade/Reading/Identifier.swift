/// The form of ids in paths: a card's, and our own.
enum Identifier {
    /// Whether the text has 1 to 64 of A-Z, a-z, 0-9, `_` and `-`.
    static func isWellFormed(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
                default: false
                }
            }
    }
}
