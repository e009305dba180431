internal import Dispatch
internal import Glibc
internal import SecretMemory

/// Finds the addresses of a database's servers, off the loops: libpq would do it on the thread that connects.
enum Resolver {
    /// How many addresses of one name are tried.
    private static let limit = 8

    /// The parameters with an address for every name that has one.
    ///
    /// - Throws: `unreachable` where none has.
    static func resolve(_ parameters: [String: SecretText]) async throws(PostgreSQLError) -> [String: SecretText] {
        guard parameters["hostaddr"] == nil, let hosts = parameters["host"]?.reveal(), !hosts.isEmpty else {
            return parameters
        }
        let names = hosts.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if names.allSatisfy(isPath) { return parameters }
        let ports = (parameters["port"]?.reveal() ?? "").split(separator: ",", omittingEmptySubsequences: false)
            .map(String.init)
        let found = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: names.map { isPath($0) ? [""] : addresses(of: $0) })
            }
        }
        var rows: [(host: String, address: String, port: String)] = []
        for (index, name) in names.enumerated() {
            let port = ports.count == names.count ? ports[index] : ports.first ?? ""
            for address in found[index] { rows.append((name, address, port)) }
        }
        if rows.isEmpty { throw PostgreSQLError(.unreachable) }
        var resolved = parameters
        resolved["host"] = SecretText(rows.map(\.host).joined(separator: ","))
        resolved["hostaddr"] = SecretText(rows.map(\.address).joined(separator: ","))
        resolved["port"] = SecretText(rows.map(\.port).joined(separator: ","))
        return resolved
    }

    private static func isPath(_ host: String) -> Bool { host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") }

    private static func addresses(of name: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next, addresses.count < limit {
            var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let code = getnameinfo(
                entry.pointee.ai_addr, entry.pointee.ai_addrlen, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            if code == 0 {
                addresses.append(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}
