public import HTTPClient
public import ProviderKit
public import Provisioning
import SecretMemory

/// Reads what every connection may say, whatever its provider, about the way to its processor.
public struct TransportReader {
    /// The keys that every connection may have, whatever its provider.
    public static let commonKeys: Set<String> = [
        "provider", "environment", "ca", "client_certificate", "client_key", "proxy", "rate_per_second", "in_flight",
        "allow_http_hosts",
    ]

    let settings: ConnectionSettings
    let now: Timestamp

    /// Reads the connection's settings, and reports there. `now` tells which certificates have ended.
    public init(settings: ConnectionSettings, now: Timestamp) {
        self.settings = settings
        self.now = now
    }

    /// The options, as far as they could be read.
    public func read(_ environment: ConnectionSettings.Environment?) -> TransportOptions {
        var options = TransportOptions()
        options.allowPlainHTTPToLoopback = true
        options.certificateAuthorities = readCertificates("ca")
        options.clientCertificate = readCertificates("client_certificate")
        options.clientKey = readPrivateKey("client_key")
        if settings.has("client_certificate") != settings.has("client_key") {
            let missing = settings.has("client_key") ? "client_certificate" : "client_key"
            settings.problem(missing, "is missing: client_certificate and client_key go together")
        }
        if let certificate = options.clientCertificate, let key = options.clientKey {
            checkPair(certificate, key)
        }
        if let proxy = settings.secret("proxy", required: false) {
            options.proxy = proxy
            if !isProxy(proxy) { settings.problem("proxy", "must be a URL such as http://proxy.example:3128") }
        }
        let hosts = settings.entries("allow_http_hosts")
        for (key, text) in hosts {
            let host = text.reveal().lowercased()
            guard let address = BaseURL("http://\(host)"), address.description == "http://\(host)", !host.contains("/")
            else {
                settings.problem(key, "must be a host, or host:port")
                continue
            }
            options.allowPlainHTTPHosts.insert(host)
        }
        if environment == .live, !hosts.isEmpty {
            settings.problem("allow_http_hosts", "is for environment: test only")
            // They stay allowed in this reading, so that each URL is not reported too.
        }
        return options
    }

    /// Whether it is a proxy's URL, which alone may hold credentials.
    private func isProxy(_ proxy: SecretText) -> Bool {
        let text = proxy.reveal()
        guard let start = text.firstRange(of: "://")?.upperBound else { return false }
        let rest = text[start...]
        let host = rest.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
        return BaseURL("\(text[..<start])\(host)") != nil
    }
}
