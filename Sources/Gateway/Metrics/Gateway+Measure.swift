import Provisioning

extension Gateway {
    /// Makes a call to a connection and notes how long it took, whatever came of it.
    func measured<Answer>(
        _ connection: Connection, _ call: () async throws(ProvisioningError) -> Answer
    ) async throws(ProvisioningError) -> Answer {
        let began = ContinuousClock.now
        defer {
            let duration = ContinuousClock.now - began
            metrics.observeUpstream(connection: connection.name, duration)
            UpstreamMeter.current?.add(duration)
        }
        return try await call()
    }
}
