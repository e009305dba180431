import Provisioning

extension StoredMigration {
    /// The migration after a step; the same where an advance leaves the cohort as it is. Of a list, the cards are to be
    /// counted anew.
    func taking(_ step: MigrationStep) throws(MigrationStepRefusal) -> StoredMigration {
        var next = self
        switch step.action {
        case .advance(let growth):
            guard status == .open else { throw .status }
            next.cohort = try grown(by: growth)
            if next.cohort == cohort, case .percent = growth { return self }
            next.advancedAt = max(advancedAt, step.at)
        case .pause:
            guard status == .open else { throw .status }
            next.status = .paused
        case .resume:
            guard status == .paused else { throw .status }
            next.status = .open
        case .rollback:
            guard status == .open || status == .paused else { throw .status }
            next.status = .rolledBack
            next.endedAt = step.at
        case .complete:
            guard status == .open else { throw .status }
            if mode == .shadow { throw .isShadow }
            if cohort != .everyone { throw .isPartial }
            next.status = .completed
            next.endedAt = step.at
        }
        next.why = step.why
        next.updatedAt = max(updatedAt, step.at)
        return next
    }

    private func grown(by growth: MigrationStep.Growth) throws(MigrationStepRefusal) -> Cohort {
        switch (cohort, growth) {
        case (.percent(let former), .percent(let basisPoints)):
            if basisPoints < former { throw .shrinks }
            return .percent(basisPoints: basisPoints)
        case (.percent, .cards): throw .goesByPercent
        case (.cards, .percent(let basisPoints)):
            if basisPoints < CardRouting.buckets { throw .goesByList }
            return .everyone
        case (.cards, .cards): return cohort
        }
    }
}

extension MigrationStep.Action {
    /// What is told of the step once it was taken.
    var event: MigrationEvent {
        switch self {
        case .advance: .advanced
        case .pause: .paused
        case .resume: .resumed
        case .rollback: .rolledBack
        case .complete: .completed
        }
    }
}
