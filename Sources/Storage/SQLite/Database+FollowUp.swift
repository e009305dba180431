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
            record.end(end)
            try provisionings.change(record)
        }
    }

    /// Notes what a device said, and moves the attempt's status where the table allows it; nil where it is unknown.
    func note(_ report: DeviceReport) throws -> StoredProvisioning? {
        guard var record = try provisionings.provisioning(report.id, program: report.program) else { return nil }
        record.note(report)
        try provisionings.change(record)
        return record
    }
}
