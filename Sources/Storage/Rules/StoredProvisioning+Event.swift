import Provisioning

extension StoredProvisioning {
    /// How many steps a timeline may have before such as change nothing are left out.
    static let stepLimit = 200

    /// Lets an event happen to the attempt. False, with nothing changed, where the table keeps the status.
    ///
    /// - Parameter source: Who settles it; nil for the gateway's own part.
    @discardableResult
    mutating func apply(_ event: StatusEvent, at moment: Timestamp, by source: StoredSettlement.Source?) -> Bool {
        guard let next = status.after(event) else { return false }
        status = next
        updatedAt = max(updatedAt, moment)
        if let source { settlement = StoredSettlement(source: source, at: moment) }
        if next != .unknown { isAmbiguous = false }
        if event == .handedOff || event == .deviceAdded { deliveredAt = deliveredAt ?? moment }
        if !next.isFollowedUp {
            followUpAt = nil
        } else if followUpAt == nil {
            followUpAt = moment
        }
        return true
    }

    /// Notes a step that changed nothing, unless there are too many already.
    mutating func note(_ step: TimelineStep) {
        if timeline.count < Self.stepLimit { timeline.append(step) }
    }
}
