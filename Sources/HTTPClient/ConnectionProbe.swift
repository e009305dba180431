internal import CCurl
internal import ProviderKit

/// Connects to a URL's host as a transport with the same options would, sends nothing, and tells what it met.
public enum ConnectionProbe {
    /// What was met.
    public enum Finding: Sendable, Equatable {
        /// A connection, over TLS where the URL says so. Its server's certificate, as PEM text, where there is one.
        case connected(certificate: String?)
        /// The name does not resolve.
        case unresolved
        /// The host refuses connections, or cannot be reached.
        case refused
        /// The host did not answer in time.
        case timedOut
        /// TLS failed.
        case tls(TLSTrouble)
        /// Something else, by libcurl's number.
        case other(Int)
    }

    /// Why TLS failed.
    public enum TLSTrouble: String, Sendable, Equatable {
        /// Nobody who is trusted vouches for the certificate.
        case unknownAuthority = "unknown_authority"
        /// The certificate, or one above it, has ended.
        case expired
        /// The certificate, or one above it, has not begun: a clock may be wrong.
        case notYetValid = "not_yet_valid"
        /// The certificate is another host's.
        case wrongHost = "wrong_host"
        /// The certificate was revoked.
        case revoked
        /// The certificate is not trusted for another reason.
        case untrusted
        /// No certificate was even looked at: the host speaks no TLS, too old a version, or wants a certificate of
        /// ours.
        case handshake
    }

    /// Connects. It waits: to be called on a thread that nothing else needs.
    public static func connect(to url: String, options: TransportOptions, within limit: Duration) -> Finding {
        guard HTTPClient.isLibraryReady, let easy = curl_easy_init() else { return .other(0) }
        defer { curl_easy_cleanup(easy) }
        // The handle reads the settings' certificates in place.
        let settings = TransferSettings(options, identifier: 0)
        return withExtendedLifetime(settings) {
            settings.apply(to: easy)
            passgate_curl_set_text(easy, CURLOPT_URL, url)
            for (option, value) in [
                (CURLOPT_CONNECT_ONLY, 1), (CURLOPT_CERTINFO, 1), (CURLOPT_TIMEOUT_MS, max(limit.milliseconds, 1)),
            ] { passgate_curl_set_long(easy, option, value) }
            let code = curl_easy_perform(easy)
            guard code != CURLE_OK else {
                return .connected(certificate: passgate_curl_certificate(easy).map { String(cString: $0) })
            }
            return finding(code, verification: passgate_curl_info(easy, CURLINFO_SSL_VERIFYRESULT))
        }
    }

    private static func finding(_ code: CURLcode, verification: Int) -> Finding {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .unresolved
        case CURLE_COULDNT_CONNECT: .refused
        case CURLE_PEER_FAILED_VERIFICATION: .tls(trouble(verification))
        case CURLE_SSL_CONNECT_ERROR: .tls(verification > notVerified ? trouble(verification) : .handshake)
        default: .other(Int(code.rawValue))
        }
    }

    /// What libcurl says before it has a verdict of OpenSSL's.
    private static let notVerified = 1

    /// What OpenSSL's verdict (`X509_V_ERR_…`) says. libcurl compares the host's name by itself, before it asks for one.
    private static func trouble(_ verification: Int) -> TLSTrouble {
        switch verification {
        case 0, notVerified, 62, 64: .wrongHost
        case 9: .notYetValid
        case 10: .expired
        case 2, 18, 19, 20, 21: .unknownAuthority
        case 23: .revoked
        default: .untrusted
        }
    }
}
