/// Reads a trail entry by entry, in the order of their sequence, and finds what is wrong with it, in constant memory.
public struct AuditVerifier: Sendable {
    /// How many entries in a row that do not follow are compared with one another.
    private static let runLimit = 12

    private let chain: AuditChain
    private let head: AuditHead?
    private var report: AuditReport
    private var last: (sequence: Int64, digest: [UInt8])
    /// The entries that do not follow, one after the other, up to here; the digest before them, and how many they are.
    private var run: [StoredAuditEntry] = []
    private var runLength: Int64 = 0
    private var digestBeforeRun: [UInt8] = []
    /// The first of the entries, one after the other, whose key is unknown.
    private var firstUnknown: Int64?

    /// Begins a trail.
    ///
    /// - Parameters:
    ///   - head: An entry that the trail must have.
    ///   - previous: The entry before the first one that will be taken; nil where the trail begins with it.
    public init(_ chain: AuditChain, program: String, head: AuditHead? = nil, after previous: StoredAuditEntry? = nil) {
        self.chain = chain
        self.head = head
        report = AuditReport(program: program)
        last = (previous?.sequence ?? 0, previous?.digest ?? AuditChain.origin)
    }

    /// Takes the next entry.
    public mutating func take(_ entry: StoredAuditEntry) {
        report.entries += 1
        // No trail has a place before its first.
        if entry.sequence < 1 { return report.add(.init(.changed, entry.sequence)) }
        if entry.sequence == last.sequence + 1 {
            switch chain.standing(of: entry, after: last.digest) {
            case .follows: endRuns()
            case .differs: differs(entry)
            case .unknownKey:
                endRun()
                firstUnknown = firstUnknown ?? entry.sequence
            }
        } else {
            endRuns()
            // What an entry follows is not known where that is missing; the one after it is checked again.
            report.add(.init(.missing, last.sequence + 1, max(entry.sequence - 1, last.sequence + 1)))
        }
        last = (entry.sequence, entry.digest)
        report.head = AuditHead(program: report.program, sequence: entry.sequence, digest: entry.digest)
        if let head, head.sequence == entry.sequence, head.digest != entry.digest {
            report.add(.init(.otherHead, entry.sequence))
        }
    }

    /// What was found, once every entry was taken.
    public mutating func finish() -> AuditReport {
        endRuns()
        if let head, head.sequence > last.sequence { report.add(.init(.cut, last.sequence + 1, head.sequence)) }
        return report
    }

    private mutating func differs(_ entry: StoredAuditEntry) {
        endUnknown()
        if runLength == 0 { digestBeforeRun = last.digest }
        runLength += 1
        if run.count <= Self.runLimit { run.append(entry) }
    }

    private mutating func endRuns() {
        endUnknown()
        endRun()
    }

    private mutating func endUnknown() {
        guard let first = firstUnknown.take() else { return }
        report.add(.init(.unknownKey, first, last.sequence))
    }

    /// Says of entries that do not follow, one after the other, what can be said.
    private mutating func endRun() {
        guard let first = run.first?.sequence else { return }
        defer { (run, runLength) = ([], 0) }
        if runLength > Int64(Self.runLimit) { return report.add(.init(.broken, first, first + runLength - 1)) }
        for (entry, origin) in zip(run, origins()) where origin != entry.sequence {
            report.add(.init(origin.map { .moved(from: $0) } ?? .changed, entry.sequence))
        }
    }

    /// Where each entry of the run was written, by the digests that are there; nil where nothing fits. An entry is in
    /// its place where it follows from the digest of an entry that was moved.
    private func origins() -> [Int64?] {
        let digests = [digestBeforeRun] + run.map(\.digest)
        return run.map { entry in
            run.map(\.sequence).first { sequence in
                digests.contains { chain.standing(of: entry, at: sequence, after: $0) == .follows }
            }
        }
    }
}
