extension Passgate {
    /// Says what each processor can do, for every wallet and channel.
    public func capabilities(_ options: CallOptions = .standard) async throws(PassgateError) -> [Capability] {
        let page: Page<Capability> = try await send(.get("v1", "capabilities"), options)
        return page.data
    }

    /// Says what a code means, and what to do about it.
    public func problemPage(
        of code: ProblemCode, _ options: CallOptions = .standard
    ) async throws(PassgateError) -> ProblemPage {
        try await send(.get("errors", code.rawValue), options)
    }

    /// Whether the gateway's process answers.
    public func health(_ options: CallOptions = .standard) async throws(PassgateError) -> HealthReport {
        try await send(.get("healthz"), options)
    }

    /// Whether the gateway can serve.
    public func readiness(_ options: CallOptions = .standard) async throws(PassgateError) -> HealthReport {
        try await send(.get("readyz"), options)
    }
}
