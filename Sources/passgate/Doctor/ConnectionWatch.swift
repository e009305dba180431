import Crypto
import HTTPClient
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Synchronization

/// Notes what an adapter was made with, and what travels for it.
final class ConnectionWatch: Sendable {
    /// What came of one request.
    struct Exchange: Sendable {
        /// Where it went: scheme, host and port.
        let origin: String
        let status: Int?
        /// The answer's `Date`.
        let date: Timestamp?
        /// Halfway between the request and its answer, by this machine's clock.
        let middle: Timestamp
    }

    let options: TransportOptions
    private let notes = Mutex<(exchanges: [Exchange], keys: [String], certificates: [SecretText])>(([], [], []))

    init(_ options: TransportOptions) { self.options = options }

    /// The last request that was made; nil where none was.
    var lastExchange: Exchange? { notes.withLock { $0.exchanges.last } }
    /// The keys that it signs with, in words.
    var keys: [String] { notes.withLock { $0.keys } }
    /// The certificates that it encrypts to.
    var certificates: [SecretText] { notes.withLock { $0.certificates } }

    /// What the adapter is given.
    func kit(_ client: HTTPClient) -> AdapterKit {
        AdapterKit(
            transport: WatchedTransport(base: client.transport(options), watch: self), json: JSONParser(),
            cryptography: WatchedCryptography(watch: self), clock: SystemClock())
    }

    fileprivate func note(_ exchange: Exchange) { notes.withLock { $0.exchanges.append(exchange) } }

    fileprivate func note(key: String) { notes.withLock { $0.keys.append(key) } }

    fileprivate func note(certificate: SecretText) { notes.withLock { $0.certificates.append(certificate) } }
}

/// Sends, and notes what came of it.
private struct WatchedTransport: UpstreamTransport {
    let base: any UpstreamTransport
    let watch: ConnectionWatch

    func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        let sentAt = SystemClock().now
        do throws(TransportFailure) {
            let response = try await base.send(request)
            note(request, sentAt, response)
            return response
        } catch {
            note(request, sentAt, nil)
            throw error
        }
    }

    private func note(_ request: UpstreamRequest, _ sentAt: Timestamp, _ response: UpstreamResponse?) {
        let now = SystemClock().now
        watch.note(
            ConnectionWatch.Exchange(
                origin: Self.origin(of: request.url), status: response?.status,
                date: response?.header("date").flatMap { HTTPDate.read($0) },
                middle: Timestamp(milliseconds: (sentAt.milliseconds + now.milliseconds) / 2)))
    }

    /// `https://api.example:8443` of a URL. The rest may be an id, and is nobody's business here.
    private static func origin(of url: String) -> String {
        url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
    }
}

/// OpenSSL, with a note of what is signed with and encrypted to.
private struct WatchedCryptography: AdapterCryptography {
    private let base = OpenSSLCryptography()
    let watch: ConnectionWatch

    init(watch: ConnectionWatch) { self.watch = watch }

    func signer(pem: SecretText, algorithm: String) throws(CryptographyFailure) -> any JWTSigning {
        let signer = try base.signer(pem: pem, algorithm: algorithm)
        // A signature tells the size of an RSA key, and that the key can sign.
        let bits = try signer.signature(of: SecretBytes(utf8: "passgate doctor")).count * 8
        watch.note(key: algorithm == "RS256" ? "\(algorithm), RSA of \(bits) bits" : "\(algorithm), P-256")
        return signer
    }

    func enveloper(certificate: SecretText, keyTransport: KeyTransport) throws(CryptographyFailure)
        -> any EnvelopeMaking
    {
        watch.note(certificate: certificate)
        return try base.enveloper(certificate: certificate, keyTransport: keyTransport)
    }

    func hmacSHA256(key: SecretBytes, _ bytes: [SecretBytes]) -> [UInt8] { base.hmacSHA256(key: key, bytes) }

    func sha256(_ bytes: [SecretBytes]) -> [UInt8] { base.sha256(bytes) }

    func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool { base.constantTimeEquals(left, right) }

    func random(_ count: Int) -> [UInt8] { base.random(count) }
}
