public import SecretMemory

extension ConnectionSettings {
    /// The base URL of an API. It is `https`, or plain `http` to this machine or, under `test`, to a host that the
    /// connection's `allow_http_hosts` names.
    ///
    /// - Parameters:
    ///   - fallback: What stands where the key is left out; nil makes it required.
    ///   - sandboxHosts: Hosts that never serve real cards: a problem under `live`.
    ///   - liveHosts: Hosts that serve real cards: worth a warning under `test`.
    public func url(
        _ key: String, default fallback: String? = nil, sandboxHosts: Set<String> = [], liveHosts: Set<String> = []
    ) -> BaseURL? {
        guard let text = text(key, required: fallback == nil) ?? fallback else { return nil }
        return checked(text, at: key, sandboxHosts: sandboxHosts, liveHosts: liveHosts)
    }

    /// A URL with one place for an id in its path, written as `{placeholder}`: what stands before it and what stands after
    /// it.
    public func urlTemplate(_ key: String, placeholder: String) -> (before: String, after: String)? {
        guard let text = text(key) else { return nil }
        let places = text.ranges(of: "{\(placeholder)}")
        guard let place = places.first, places.count == 1 else {
            problem(key, "must hold {\(placeholder)} once")
            return nil
        }
        let (before, after) = (String(text[..<place.lowerBound]), String(text[place.upperBound...]))
        guard before.replacing("://", with: "", maxReplacements: 1).contains("/") else {
            problem(key, "must hold {\(placeholder)} in its path")
            return nil
        }
        guard checked("\(before)id\(after)", at: key, sandboxHosts: [], liveHosts: []) != nil else { return nil }
        return (before, after)
    }

    private func checked(_ text: String, at key: String, sandboxHosts: Set<String>, liveHosts: Set<String>) -> BaseURL?
    {
        guard let url = BaseURL(text) else {
            problem(key, "must be an absolute URL without credentials, query or fragment")
            return nil
        }
        let named = [url.host, url.port.map { "\(url.host):\($0)" } ?? url.host]
        let isAllowed = environment == .test && !allowedHTTPHosts.isDisjoint(with: named)
        guard url.isSecure || url.isLoopback || isAllowed else {
            problem(key, "must be https; plain http is for loopback, or for allow_http_hosts under test")
            return nil
        }
        if environment == .live, sandboxHosts.contains(url.host) {
            problem(key, "is a sandbox, but the environment is live")
            return nil
        }
        if environment == .test, liveHosts.contains(url.host) {
            warning(key, "serves real cards, but the environment is test")
        }
        return url
    }

    /// A secret that is sent in a header field: visible ASCII, without spaces.
    ///
    /// - Parameters:
    ///   - testPrefixes: How a sandbox's key begins: a problem under `live`.
    ///   - livePrefixes: How a key for real cards begins: a problem under `test`.
    public func credential(_ key: String, testPrefixes: [String] = [], livePrefixes: [String] = []) -> SecretText? {
        guard let secret = secret(key) else { return nil }
        let isSendable = secret.bytes.withSpan { span in
            for index in 0..<span.count where !(0x21...0x7e).contains(span[index]) { return false }
            return true
        }
        guard isSendable else {
            problem(key, "has a space, a line break or another character that no header field can hold")
            return nil
        }
        guard environment == .test || !testPrefixes.contains(where: { Self.starts(secret, with: $0) }) else {
            problem(key, "belongs to a sandbox, but the environment is live")
            return nil
        }
        guard environment == .live || !livePrefixes.contains(where: { Self.starts(secret, with: $0) }) else {
            problem(key, "is for real cards, but the environment is test")
            return nil
        }
        return secret
    }

    private static func starts(_ secret: SecretText, with prefix: String) -> Bool {
        let prefix = prefix.utf8.span
        return secret.bytes.withSpan { span in
            guard span.count >= prefix.count else { return false }
            for index in 0..<prefix.count where span[index] != prefix[index] { return false }
            return true
        }
    }
}
