import Provisioning

extension [StoredBinding] {
    /// What a completed migration changes of a card's bindings, each as it was and as it becomes: its binding at `to` is
    /// the active one, and those that served before, and that at `from`, are retired. Who retires comes first, so that there
    /// are never two that are active. Nothing where `to` cannot serve.
    func takenOver(from: String, to: String) -> [(former: StoredBinding, next: StoredBinding)] {
        guard contains(where: { $0.card.connection == to && $0.state.isUsable }) else { return [] }
        let changes: [(former: StoredBinding, next: StoredBinding)] = compactMap { former in
            var next = former
            switch (former.card.connection, former.state) {
            case (to, _): next.state = .active
            case (_, .active), (from, .standby): next.state = .retired
            default: break
            }
            return next.state == former.state ? nil : (former, next)
        }
        return changes.filter { $0.next.state == .retired } + changes.filter { $0.next.state == .active }
    }
}
