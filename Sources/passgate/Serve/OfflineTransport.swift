import Crypto
import JSON
import ProviderKit

/// Sends nothing: for adapters that are made only to see whether their settings are good.
struct OfflineTransport: UpstreamTransport {
    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        throw .notSent(.unreachable)
    }
}

extension AdapterKit {
    /// What adapters get, around the way to their processor.
    static func around(_ transport: any UpstreamTransport) -> AdapterKit {
        AdapterKit(
            transport: transport, json: JSONParser(), cryptography: OpenSSLCryptography(), clock: SystemClock())
    }

    /// What adapters get where nothing may be sent.
    static var offline: AdapterKit { around(OfflineTransport()) }
}
