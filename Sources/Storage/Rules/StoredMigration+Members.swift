import Provisioning

extension StoredMigration {
    /// What an event tells of the migration.
    ///
    /// - Parameter former: Its status before; nil where it was just opened.
    func eventMembers(from former: Status?) -> [StoredEvent.Member] {
        [
            .init("object", "migration"), .init("id", id), .init("from", from), .init("to", to),
            .init("mode", mode.rawValue), .init("status", status.rawValue),
            .init("previous_status", former?.rawValue), .init("cohort", cohort.words), .init("why", why),
        ]
    }

    /// What the audit trail keeps of it. Nothing of it is personal.
    var auditMembers: [AuditMember] {
        var members: [AuditMember] = []
        func add(_ name: String, _ value: String?) {
            if let value { members.append(AuditMember(name: name, value: value, isDigest: false)) }
        }
        add("from", from)
        add("to", to)
        add("mode", mode.rawValue)
        add("cohort", cohort.words)
        add("guard/min_attempts", self.guard.map { String($0.minAttempts) })
        add("guard/margin", self.guard.map { String($0.margin) })
        add("guard/action", self.guard?.action.rawValue)
        add("allow_stranded", String(allowsStranded))
        add("status", status.rawValue)
        add("why", why)
        return members
    }
}

extension StoredMigration.Cohort {
    /// The cohort in few words, such as `12.5%` or `3 cards`.
    var words: String {
        switch self {
        case .percent(let basisPoints):
            let (whole, rest) = (basisPoints / 100, basisPoints % 100)
            let digits = rest % 10 == 0 ? "\(rest / 10)" : "\(rest / 10)\(rest % 10)"
            return rest == 0 ? "\(whole)%" : "\(whole).\(digits)%"
        case .cards(let count): return "\(count) cards"
        }
    }
}
