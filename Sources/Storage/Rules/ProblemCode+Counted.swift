import Provisioning

extension ProblemCode {
    /// The problem that an attempt counts for in a report. Nil where its caller went away, or would not wait: that says
    /// nothing of the side.
    init?(countedOf failure: [UInt8], timeline: [UInt8]) throws(StoreFailure) {
        let steps = try [TimelineStep](packed: timeline)
        if steps.contains(where: { $0.step == StoredProvisioning.callerLeftStep }) { return nil }
        self = try StoredFailure(packed: failure).code
    }
}

extension [ProblemCode] {
    /// How often each is there.
    var counted: [ProblemCode: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
