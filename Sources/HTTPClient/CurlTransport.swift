import ProviderKit

/// One connection's way to its processor.
final class CurlTransport: UpstreamTransport {
    private let client: HTTPClient
    private let settings: TransferSettings

    init(client: HTTPClient, settings: TransferSettings) {
        self.client = client
        self.settings = settings
    }

    deinit { client.forget(settings) }

    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        try await client.driver.perform(Exchange(request, settings)).get()
    }
}
