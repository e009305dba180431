import Provisioning

extension Database {
    /// Adds a destination.
    func add(_ destination: StoredDestination, by actor: AuditActor) throws {
        try destinations.insert(destination)
        try audit.append(
            "destination.added", on: destination.id, of: destination.program, by: actor, at: destination.createdAt,
            before: [], after: chain.members(of: destination))
    }

    /// Removes a destination with its deliveries. False where there is none.
    func removeDestination(_ id: String, program: String, by actor: AuditActor, at now: Timestamp) throws -> Bool {
        guard let destination = try destinations.destination(id, program: program)?.element else { return false }
        try destinations.remove(id)
        try audit.append(
            "destination.removed", on: id, of: program, by: actor, at: now, before: chain.members(of: destination),
            after: [])
        return true
    }

    /// Replaces a destination's secret, and keeps the one before it for a while. Nil where there is no such destination.
    func rotate(_ rotation: SecretRotation, by actor: AuditActor) throws -> StoredDestination? {
        guard let found = try destinations.destination(rotation.id, program: rotation.program)?.element else {
            return nil
        }
        let destination = found.taking(rotation)
        try destinations.update(destination)
        try audit.append(
            "destination.secret_replaced", on: rotation.id, of: rotation.program, by: actor, at: rotation.at,
            before: [],
            after: [AuditMember(name: "former_until", value: rotation.formerUntil.rfc3339, isDigest: false)])
        return destination
    }

    /// Claims deliveries that are due: of each destination so many as are not under way already, and of each card one at
    /// a time, so that a card's events arrive in order unless one of them fails.
    func claim(_ claim: OutgoingClaim) throws -> [OutgoingDelivery] {
        var claimed: [OutgoingDelivery] = []
        for (number, destination) in try destinations.withDue(at: claim.now) {
            let underWay = try deliveries.cardsUnderWay(to: number, at: claim.now)
            var room = min(claim.limitPerDestination - underWay.count, claim.limit - claimed.count)
            guard room > 0 else { continue }
            var cards = Set(underWay)
            // Some of them may be of one card, and wait for each other.
            for candidate in try deliveries.due(to: number, at: claim.now, atMost: 8 * claim.limitPerDestination)
            where room > 0 && cards.insert(candidate.card).inserted {
                guard let event = try events.event(numbered: candidate.event) else { continue }
                try deliveries.lease(candidate.number, to: claim.holder, until: claim.leaseUntil)
                claimed.append(
                    OutgoingDelivery(
                        number: candidate.number, destination: destination, event: event, tries: candidate.tries))
                room -= 1
            }
        }
        return claimed
    }

    /// Writes how a try ended, and lets go of the delivery.
    func finish(_ end: OutgoingEnd) throws {
        guard end.outcome != .untouched else { return try deliveries.release(end.number, by: end.holder) }
        guard let held = try deliveries.held(end.number, by: end.holder) else { return }
        let attempts = end.adding(to: held.attempts)
        switch end.outcome {
        case .untouched: return
        case .delivered: try deliveries.update(end.number, .delivered, attempts: attempts, dueAt: nil)
        case .again(let moment): try deliveries.update(end.number, .pending, attempts: attempts, dueAt: moment)
        case .dead: try deliveries.update(end.number, .dead, attempts: attempts, dueAt: nil)
        case .gone:
            try deliveries.update(end.number, .dead, attempts: attempts, dueAt: nil)
            guard let former = try destinations.destination(numbered: held.destination) else { return }
            try destinations.disable(held.destination, at: end.at)
            var disabled = former
            disabled.status = .disabled
            try append("destination.disabled", from: former, to: disabled, by: .gateway, at: end.at)
        }
    }

    /// Queues events for a destination again.
    func replay(_ replay: Replay, by actor: AuditActor) throws -> ReplayResult {
        guard let (number, found) = try destinations.destination(replay.destination, program: replay.program) else {
            return .unknownDestination
        }
        var destination = found
        var first: Int64 = 0
        if case .event(let id) = replay.start {
            guard let start = try events.number(of: id, program: replay.program) else { return .unknownEvent }
            first = start
        }
        if destination.status == .disabled {
            destination.status = .enabled
            destination.updatedAt = replay.at
            try destinations.update(destination)
            try append("destination.enabled", from: found, to: destination, by: actor, at: replay.at)
        }
        let meant = try deliveries.events(of: replay, to: number, from: first)
        var count = 0
        for event in meant.prefix(replay.limit) {
            if try deliveries.queue(event, to: number, at: replay.at) { count += 1 }
        }
        let next = meant.count > replay.limit ? try meant.last.flatMap { try events.event(numbered: $0)?.id } : nil
        return .queued(count, next: next)
    }

    /// Writes a change of a destination into the audit trail; nothing where nothing changed.
    private func append(
        _ action: String, from former: StoredDestination, to destination: StoredDestination, by actor: AuditActor,
        at moment: Timestamp
    ) throws {
        let change = chain.difference(chain.members(of: former), chain.members(of: destination))
        if change.after.isEmpty { return }
        try audit.append(
            action, on: destination.id, of: destination.program, by: actor, at: moment, before: change.before,
            after: change.after)
    }
}
