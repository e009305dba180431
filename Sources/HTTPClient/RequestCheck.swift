import CCurl
import Glibc

/// Says which URLs may be sent to.
enum RequestCheck {
    /// Refuses a URL that is not absolute `https`, or `http` where the options allow it; that holds credentials or a
    /// fragment; or that libcurl cannot read.
    static func check(url: String, _ options: TransportOptions) throws(InvalidRequest) {
        let isSecure = url.utf8.starts(with: "https://".utf8)
        guard isSecure || url.utf8.starts(with: "http://".utf8) else { throw InvalidRequest() }
        let rest = url.utf8.dropFirst(isSecure ? 8 : 7)
        // libcurl reads "https:///x" as the host x.
        guard let first = rest.first, first != UInt8(ascii: "/") else { throw InvalidRequest() }
        guard rest.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }) else { throw InvalidRequest() }
        guard let parsed = curl_url() else { throw InvalidRequest() }
        defer { curl_url_cleanup(parsed) }
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)
        guard curl_url_set(parsed, CURLUPART_URL, url, flags) == CURLUE_OK else { throw InvalidRequest() }
        guard !isSecure else { return }
        guard let host = part(CURLUPART_HOST, of: parsed)?.lowercased() else { throw InvalidRequest() }
        if options.allowPlainHTTPToLoopback, isLoopback(host) { return }
        let port = part(CURLUPART_PORT, of: parsed) ?? ""
        let hosts = options.allowPlainHTTPHosts
        guard hosts.contains(host) || hosts.contains("\(host):\(port)") else { throw InvalidRequest() }
    }

    private static func part(_ part: CURLUPart, of parsed: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parsed, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "[::1]" { return true }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) == 1 && UInt32(bigEndian: address.s_addr) >> 24 == 127
    }
}
