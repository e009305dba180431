import CCurl

/// Says which URLs may be sent to.
enum RequestCheck {
    /// Refuses a URL that is not absolute `https`, or `http` where the options allow it; that holds credentials or a
    /// fragment; whose host is an address that the options do not allow; or that libcurl cannot read.
    ///
    /// - Returns: The host in lower case, as libcurl reads it: an address in its usual form, whatever form was given.
    @discardableResult
    static func check(url: String, _ options: TransportOptions) throws(InvalidRequest) -> String {
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
        guard let host = part(CURLUPART_HOST, of: parsed)?.lowercased() else { throw InvalidRequest() }
        // A point at the end makes an address look like a name.
        let literal = AddressClass.ofLiteral(host.hasSuffix(".") ? String(host.dropLast()) : host)
        if let literal, let allowed = options.allowedAddresses, !allowed.contains(literal) { throw InvalidRequest() }
        if isSecure { return host }
        if options.allowPlainHTTPToLoopback, literal == .loopback || host == "localhost" { return host }
        if options.allowPlainHTTPToPrivateAddresses, literal == .private { return host }
        let port = part(CURLUPART_PORT, of: parsed) ?? ""
        let hosts = options.allowPlainHTTPHosts
        guard hosts.contains(host) || hosts.contains("\(host):\(port)") else { throw InvalidRequest() }
        return host
    }

    /// Whether a host is this machine's name for itself (RFC 6761).
    static func isLocalhost(_ host: String) -> Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name == "localhost" || name.hasSuffix(".localhost")
    }

    private static func part(_ part: CURLUPart, of parsed: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parsed, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
