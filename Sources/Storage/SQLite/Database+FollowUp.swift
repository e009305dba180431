import Provisioning

extension Database {
    /// Claims attempts that are due, in one transaction, so that no two instances have attempts of one card at once.
    func claim(_ claim: FollowUpClaim) throws -> [StoredProvisioning] {
        let due = try provisionings.due(at: claim.now, atMost: claim.limit)
        for (number, _) in due { try provisionings.lease(number, to: claim.holder, until: claim.leaseUntil) }
        return due.map(\.element)
    }

    /// Writes how follow-ups ended.
    func finish(_ ends: [FollowUpEnd]) throws {
        for end in ends {
            guard try provisionings.endLease(of: end.id, program: end.program, by: end.holder),
                var record = try provisionings.provisioning(end.id, program: end.program)
            else { continue }
            if end.counts { record.followUps += 1 }
            record.followUpAt = record.status.isFollowedUp ? end.nextAt : nil
            if let step = end.step, !record.timeline.contains(where: { $0.step == step.step && $0.code == step.code }) {
                record.note(step)
            }
            if end.isDayOver, record.apply(.dayPassed, at: end.at, by: .time) {
                record.timeline.append(
                    TimelineStep(
                        at: end.at, step: record.status.rawValue, source: "gateway",
                        detail: "A day passed without a word."))
            }
            _ = try provisionings.update(record, onlyWhileSending: false)
        }
    }

    /// Attributes a card's tokens to its attempts, and moves their statuses; answers the attempts that changed.
    func settle(_ report: TokenReport) throws -> [StoredProvisioning] {
        guard let first = report.tokens.map(\.createdAt).min(), !report.providerCardID.isEmpty else { return [] }
        // An attempt is made before it is sent: by its deadline at most.
        let from = first.adding(milliseconds: -TokenAttribution.windowMilliseconds - 3_600_000)
        var settling = TokenSettling(
            report: report,
            attempts: try provisionings.attempts(
                of: report.card, connection: report.connection, providerCardID: report.providerCardID, from: from))
        for token in report.tokens.sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
            let owner = try provisionings.attempt(ofToken: token.id, connection: report.connection)
            guard let number = settling.settle(token, owner: owner), owner == nil else { continue }
            try provisionings.attribute(token: token.id, connection: report.connection, to: number)
        }
        for record in settling.changed { _ = try provisionings.update(record, onlyWhileSending: false) }
        return settling.changed
    }

    /// Notes what a device said, and moves the attempt's status where the table allows it; nil where it is unknown.
    func note(_ report: DeviceReport) throws -> StoredProvisioning? {
        guard var record = try provisionings.provisioning(report.id, program: report.program) else { return nil }
        record.note(report)
        _ = try provisionings.update(record, onlyWhileSending: false)
        return record
    }
}
