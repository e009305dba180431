import CCurl
import Glibc
import SecretMemory

/// A transport's options in the form that libcurl takes.
///
/// Safe to share: nothing in it changes after `init`.
final class TransferSettings: @unchecked Sendable {
    /// Tells the settings of one transport from all others of the same client, for ever.
    let identifier: Int
    let options: TransportOptions
    private let certificateAuthorities: StableBytes?
    private let clientCertificate: StableBytes?
    private let clientKey: StableBytes?

    init(_ options: TransportOptions, identifier: Int) {
        self.identifier = identifier
        self.options = options
        certificateAuthorities = options.certificateAuthorities.map { StableBytes($0.bytes) }
        clientCertificate = options.clientCertificate.map { StableBytes($0.bytes) }
        clientKey = options.clientKey.map { StableBytes($0.bytes) }
    }

    /// Sets all that stays the same from request to request. The handle must not outlive the settings.
    func apply(to easy: UnsafeMutableRawPointer) {
        let allowsHTTP = options.allowPlainHTTPToLoopback || !options.allowPlainHTTPHosts.isEmpty
        let texts: [(CURLoption, String)] = [
            (CURLOPT_PROTOCOLS_STR, allowsHTTP ? "http,https" : "https"),
            // Set in any case: libcurl would else look into the environment.
            (CURLOPT_PROXY, options.proxy?.reveal() ?? ""),
            (CURLOPT_NOPROXY, options.proxy == nil ? "*" : ""),
        ]
        for (option, value) in texts { passgate_curl_set_text(easy, option, value) }
        let numbers: [(CURLoption, Int)] = [
            (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_PATH_AS_IS, 1),
            (CURLOPT_DISALLOW_USERNAME_IN_URL, 1), (CURLOPT_HTTP09_ALLOWED, 0), (CURLOPT_NETRC, 0),
            (CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS), (CURLOPT_UPLOAD_BUFFERSIZE, 16_384),
            (CURLOPT_CONNECTTIMEOUT_MS, max(options.connectTimeout.milliseconds, 1)),
            (CURLOPT_MAXAGE_CONN, max(options.idleTimeout.milliseconds / 1000, 1)),
            (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_TCP_KEEPIDLE, 30), (CURLOPT_TCP_KEEPINTVL, 10),
            // A cancelled look-up must not be waited for: that would block the loop.
            (CURLOPT_QUICK_EXIT, 1),
            (CURLOPT_HTTPPROXYTUNNEL, options.proxy == nil ? 0 : 1), (CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            (CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE)),
            (CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2), (CURLOPT_PROXY_SSLVERSION, CURL_SSLVERSION_TLSv1_2),
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
        ]
        for (option, value) in numbers { passgate_curl_set_long(easy, option, value) }
        applyCertificates(to: easy)
    }

    private func applyCertificates(to easy: UnsafeMutableRawPointer) {
        if let certificateAuthorities {
            // The system's folder is set by default, and would be trusted beside ours.
            passgate_curl_set_text(easy, CURLOPT_CAPATH, nil)
            certificateAuthorities.set(CURLOPT_CAINFO_BLOB, of: easy)
        } else if passgate_curl_has_authorities_file() != 0 {
            // One file serves, and without the folder libcurl keeps it parsed.
            passgate_curl_set_text(easy, CURLOPT_CAPATH, nil)
        }
        if let clientCertificate, let clientKey {
            passgate_curl_set_text(easy, CURLOPT_SSLCERTTYPE, "PEM")
            passgate_curl_set_text(easy, CURLOPT_SSLKEYTYPE, "PEM")
            // Without a passphrase OpenSSL would ask for one on the terminal.
            passgate_curl_set_text(easy, CURLOPT_KEYPASSWD, "")
            clientCertificate.set(CURLOPT_SSLCERT_BLOB, of: easy)
            clientKey.set(CURLOPT_SSLKEY_BLOB, of: easy)
        }
    }
}

/// Secret bytes at an address that stays, for libcurl to read in place. Wiped at the end.
private final class StableBytes {
    private let buffer: UnsafeMutableBufferPointer<UInt8>

    init(_ secret: SecretBytes) {
        buffer = .allocate(capacity: secret.count)
        secret.withSpan { span in
            for index in 0..<span.count { buffer.initializeElement(at: index, to: span[index]) }
        }
    }

    deinit {
        if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
        buffer.deallocate()
    }

    func set(_ option: CURLoption, of easy: UnsafeMutableRawPointer) {
        passgate_curl_set_blob(easy, option, buffer.baseAddress, buffer.count)
    }
}

extension Duration {
    /// Whole milliseconds, rounded up.
    var milliseconds: Int {
        let (seconds, attoseconds) = components
        guard seconds < 1_000_000_000 else { return 1_000_000_000_000 }
        return Int(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
