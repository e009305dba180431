import Provisioning

extension StoredProvisioning {
    /// Takes in how a follow-up ended.
    mutating func end(_ end: FollowUpEnd) {
        if end.counts { followUps += 1 }
        followUpAt = status.isFollowedUp ? end.nextAt : nil
        if let step = end.step, !timeline.contains(where: { $0.step == step.step && $0.code == step.code }) {
            note(step)
        }
        if end.isDayOver, apply(.dayPassed, at: end.at, by: .time) {
            timeline.append(
                TimelineStep(
                    at: end.at, step: status.rawValue, source: "gateway", detail: "A day passed without a word."))
        }
    }
}
