/// What became of an import.
public struct CardImportReport: Codable, Hashable, Sendable {
    /// A line that was not taken.
    public struct Fault: Codable, Hashable, Sendable {
        /// Its number, from 1.
        public let line: Int
        /// The problem's code.
        public let code: ProblemCode
        /// What is wrong, in a sentence.
        public let detail: String
    }

    /// How many cards are new.
    public let imported: Int
    /// How many were there before.
    public let updated: Int
    /// How many lines were not taken.
    public let failed: Int
    /// What is wrong with them: the first thousand.
    public let errors: [Fault]
}
