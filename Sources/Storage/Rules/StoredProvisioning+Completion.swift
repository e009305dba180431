import Provisioning

extension StoredProvisioning {
    /// This record, as it stands once `ended`, the same attempt at the end of the gateway's own part, was written.
    ///
    /// What the gateway learnt is always kept; the status only where nobody has said more since.
    func completed(as ended: StoredProvisioning) -> StoredProvisioning {
        var kept = self
        if status.canBeCompleted(as: ended.status) {
            kept.status = ended.status
            kept.failure = ended.failure
            kept.followUpAt = ended.followUpAt
            kept.sentAt = ended.sentAt
            kept.isAmbiguous = isAmbiguous && ended.status == .unknown
        } else {
            kept.sentAt = ended.sentAt ?? sentAt
        }
        kept.deliveredAt = deliveredAt ?? ended.deliveredAt
        kept.updatedAt = max(updatedAt, ended.updatedAt)
        kept.expiresAt = ended.expiresAt ?? expiresAt
        kept.attempts = max(attempts, ended.attempts)
        kept.repairs = ended.repairs
        kept.warnings = ended.warnings
        kept.handoffBytes = ended.handoffBytes ?? handoffBytes
        kept.handoffDigest = ended.handoffDigest ?? handoffDigest
        kept.timeline = Self.merge(ended.timeline, with: timeline)
        return kept
    }

    /// The steps of the first and those that only the second has, in the order of time.
    private static func merge(_ steps: [TimelineStep], with others: [TimelineStep]) -> [TimelineStep] {
        let added = others.filter { !steps.contains($0) }
        if added.isEmpty { return steps }
        return (steps + added).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map(\.element)
    }

    /// How long after its deadline an attempt that still reads `sending` is given up.
    static let graceMilliseconds: Int64 = 5000

    /// Makes an attempt whose instance never finished it `unknown`.
    mutating func giveUp(at now: Timestamp) {
        status = .unknown
        updatedAt = max(updatedAt, now)
        // It may have been sent the moment it was reserved.
        sentAt = sentAt ?? createdAt
        followUpAt = now
        timeline.append(
            TimelineStep(
                at: now, step: "unknown", source: "gateway", detail: "The instance that ran it did not finish it."))
    }
}
