/// What is wrong with a trail; nothing where it is whole.
public struct AuditReport: Sendable, Equatable {
    /// How many findings are listed.
    static let listLimit = 100

    /// The program that the trail belongs to.
    public let program: String
    /// How many entries were read.
    public internal(set) var entries: Int64 = 0
    /// The last entry that was read; nil of an empty trail.
    public internal(set) var head: AuditHead?
    /// What is wrong, in the order of the trail; the first of it where there is much.
    public internal(set) var findings: [Finding] = []
    /// How much is wrong.
    public internal(set) var findingCount = 0

    /// Whether nothing is wrong.
    public var isWhole: Bool { findingCount == 0 }

    init(program: String) { self.program = program }

    mutating func add(_ finding: Finding) {
        findingCount += 1
        if findings.count < Self.listLimit { findings.append(finding) }
    }

    /// Something that is wrong.
    public struct Finding: Sendable, Equatable {
        /// What it is.
        public let fault: Fault
        /// The first entry that it is about.
        public let first: Int64
        /// The last entry that it is about.
        public let last: Int64

        /// Makes a finding about one entry, or about all between two.
        init(_ fault: Fault, _ first: Int64, _ last: Int64? = nil) {
            self.fault = fault
            self.first = first
            self.last = last ?? first
        }

        /// The entries, as they are told.
        public var place: String { first == last ? "entry \(first)" : "entries \(first) to \(last)" }
    }

    /// A kind of fault.
    public enum Fault: Sendable, Equatable {
        /// The entries are not there.
        case missing
        /// The entry is not what was written there: it was changed, or put in.
        case changed
        /// The entry was written as another one, and moved.
        case moved(from: Int64)
        /// From the first to the last none follows from the one before it: entries were changed, taken out or put in, and
        /// the numbers of the others moved.
        case broken
        /// The entries were made under a root secret that is not among those given.
        case unknownKey
        /// The trail ends before the entry that it was told to have.
        case cut
        /// The entry is not the one that the trail was told to have.
        case otherHead

        /// A word for machines.
        public var word: String {
            switch self {
            case .missing: "missing"
            case .changed: "changed"
            case .moved: "moved"
            case .broken: "broken"
            case .unknownKey: "unknown_key"
            case .cut: "cut"
            case .otherHead: "other_head"
            }
        }

        /// What is wrong, after the entries' numbers.
        public var words: String {
            switch self {
            case .missing: "missing"
            case .changed: "changed, or put in"
            case .moved(let sequence): "moved: written as entry \(sequence)"
            case .broken: "not what was written there: changed, moved, taken out or put in"
            case .unknownKey: "cannot be verified: made under a root secret that is not among root_secrets"
            case .cut: "cut off: the trail had them once"
            case .otherHead: "not the entry that --head names"
            }
        }
    }
}
