import ProviderKit

/// The way that a wrong provider's requests take: out of the reach of cancellation, where that is its fault.
struct Detour: UpstreamTransport {
    let base: any UpstreamTransport
    let fault: Fault

    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        guard fault == .ignoresCancellation else { return try await base.send(request) }
        let call = Task.detached { [base] () -> Result<UpstreamResponse, TransportFailure> in
            do throws(TransportFailure) {
                return .success(try await base.send(request))
            } catch {
                return .failure(error)
            }
        }
        return try await call.value.get()
    }
}
