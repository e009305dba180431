/// What is wrong with a store; nothing where it is whole.
public struct StoreReport: Sendable, Equatable {
    /// How many findings of one check are listed.
    static let listLimit = 20

    /// The version of the schema that was found.
    public let version: Int
    /// The checks, in the order in which they were made.
    public internal(set) var checks: [Check] = []

    /// Whether nothing is wrong.
    public var isWhole: Bool { checks.allSatisfy { $0.findingCount == 0 } }

    init(version: Int) { self.version = version }

    /// One thing that was looked at.
    public struct Check: Sendable, Equatable {
        /// A word for machines.
        public let name: String
        /// What holds where nothing was found.
        public let promise: String
        /// How much was found.
        public internal(set) var findingCount = 0
        /// What was found: the first of it where there is much.
        public internal(set) var findings: [String] = []

        init(_ name: String, _ promise: String, _ findings: [String] = []) {
            self.name = name
            self.promise = promise
            for finding in findings { add(finding) }
        }

        mutating func add(_ finding: String) {
            findingCount += 1
            if findings.count < StoreReport.listLimit { findings.append(finding) }
        }
    }
}
