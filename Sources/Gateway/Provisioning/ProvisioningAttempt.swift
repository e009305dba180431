import Provisioning
import Storage

/// One attempt on its way: the record as it grows, and what its end will have to settle.
struct ProvisioningAttempt: Sendable {
    var record: StoredProvisioning
    let route: Route
    var timeline: Timeline
    /// The keyed digests of a single-use handshake, under the current root secret first; none where it can come again.
    let handshakeDigests: [[UInt8]]
    let idempotency: IdempotencyClaim?
    /// Whether its call may be made again after it was sent.
    let isRepeatable: Bool
    /// When the first call that may have reached the processor began.
    private(set) var sentAt: Timestamp?
    /// How many calls may have reached the processor.
    private(set) var sentCalls = 0

    init(
        record: StoredProvisioning, route: Route, timeline: Timeline, handshakeDigests: [[UInt8]],
        idempotency: IdempotencyClaim?, isRepeatable: Bool
    ) {
        self.record = record
        self.route = route
        self.timeline = timeline
        self.handshakeDigests = handshakeDigests
        self.idempotency = idempotency
        self.isRepeatable = isRepeatable
    }

    /// Notes a call and how it ended; `failure` is nil where it brought the handoff.
    mutating func note(_ failure: ProvisioningError?, ofCallBegunAt began: Timestamp) {
        let code = failure.map { $0.upstream?.code ?? $0.code.rawValue }
        if let failure, failure.outcome == .notSent {
            timeline.add("not_sent", code: code, detail: "Nothing reached \(record.connection).")
            return
        }
        sentAt = sentAt ?? began
        sentCalls += 1
        timeline.add("sent", at: began, detail: "To \(record.connection).")
        if let failure, failure.upstream == nil {
            timeline.add("no_answer", code: code, detail: "No whole answer came.")
        } else {
            timeline.add(
                "answered", source: "provider", code: code,
                detail: failure?.upstream?.status.map { "With the HTTP status \($0)." })
        }
    }
}
