public import SecretMemory

/// How one connection's requests travel: whom to trust, who we are, and which way to go.
///
/// TLS 1.2 is the least that is spoken, and certificates are always verified. The environment's proxy variables,
/// `.netrc` and cookies play no part.
public struct TransportOptions: Sendable {
    /// The certificate authorities to trust, as PEM text, in place of the system's. Nil trusts the system's.
    public var certificateAuthorities: SecretText?
    /// Our certificate, with what lies between it and its root, as PEM text. Needs ``clientKey``.
    public var clientCertificate: SecretText?
    /// The key of ``clientCertificate``, as PEM text without a passphrase.
    public var clientKey: SecretText?
    /// The proxy to tunnel through, as a URL that may hold credentials. Nil goes directly.
    public var proxy: SecretText?
    /// The hosts that plain `http` may go to, each as `host` or `host:port`, in lower case. For tests alone.
    public var allowPlainHTTPHosts: Set<String> = []
    /// Whether plain `http` may go to a literal loopback address, or to `localhost`.
    public var allowPlainHTTPToLoopback = false
    /// Whether plain `http` may go to a literal private address.
    public var allowPlainHTTPToPrivateAddresses = false
    /// The classes of addresses that may be connected to, whatever name led there; nil allows all. It is applied to the
    /// address itself, when the connection is made and again before a request goes out on it. A ``proxy`` hides the
    /// address: it is then the proxy's own that is looked at.
    public var allowedAddresses: Set<AddressClass>?
    /// How long a new connection may take, TLS handshake and proxy included, within the request's deadline.
    public var connectTimeout = Duration.seconds(10)
    /// How long a connection may stay unused before it is not used again.
    public var idleTimeout = Duration.seconds(50)

    /// Options that trust the system's authorities, and go directly.
    public init() {}

    /// Whether a request may go to the URL, as far as the URL alone tells: its form, its scheme, and its host where that
    /// is an address, or this machine's name for itself.
    public func accepts(url: String) -> Bool {
        guard let host = try? RequestCheck.check(url: url, self) else { return false }
        guard let allowedAddresses, RequestCheck.isLocalhost(host) else { return true }
        return allowedAddresses.contains(.loopback)
    }
}
