import Provisioning

extension Problem {
    /// What a caller is told when a provider said no, or could not be asked.
    ///
    /// - Parameter repeatable: Whether the handshake can be used again after it was sent.
    init(provider failure: ProvisioningError, at connection: Connection, repeatable: Bool, record: String?) {
        let situation: RetrySituation =
            failure.outcome == .notSent ? .notSent : repeatable ? .sentRepeatable : .sentSingleUse
        self.init(
            failure.code, detail: failure.detail, situation: situation, outcome: failure.outcome,
            reason: failure.reason, retryAfter: failure.retryAfter.map(Self.wholeSeconds),
            provisioning: record,
            provider: ProviderReport(
                id: connection.descriptor.id, connection: connection.name, upstream: failure.upstream))
        if let pointer = failure.pointer {
            errors = [
                MemberProblem(
                    pointer: pointer, code: failure.code.rawValue,
                    detail: failure.detail ?? failure.code.entry.meaning)
            ]
        }
    }

    /// Rounded up, so that nobody comes back too early.
    private static func wholeSeconds(_ wait: Duration) -> Int {
        Int(wait.components.seconds) + (wait.components.attoseconds > 0 ? 1 : 0)
    }
}
