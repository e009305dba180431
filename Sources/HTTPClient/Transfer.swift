import CCurl
import ProviderKit
import SecretMemory

/// One easy handle, with its transport's settings, which carries exchanges one after the other.
///
/// It must stay alive while it is in flight: libcurl holds its address. The driver's list of active transfers sees to it.
final class Transfer {
    let easy: UnsafeMutableRawPointer
    let settings: TransferSettings
    private(set) var exchange: Exchange?
    /// Where it stands in the driver's list of active transfers.
    var slot = -1
    private var headers: UnsafeMutablePointer<curl_slist>?

    init?(_ settings: TransferSettings) {
        guard let easy = curl_easy_init() else { return nil }
        self.easy = easy
        self.settings = settings
        settings.apply(to: easy)
        let context = Unmanaged.passUnretained(self).toOpaque()
        passgate_curl_set_callbacks(
            easy, context, { Transfer.read($0, $1, $2, $3) }, { Transfer.write($0, $1, $2, $3) },
            { Transfer.header($0, $1, $2, $3) },
            { context, remote, _, _, _ in Transfer.isAboutToWrite(context, to: remote) })
        if settings.options.allowedAddresses != nil {
            passgate_curl_set_open_socket(easy, context) { Transfer.openSocket($0, $2) }
        }
    }

    deinit {
        curl_easy_cleanup(easy)
        passgate_curl_free_headers(headers)
    }

    /// Takes up an exchange, which must have time left.
    ///
    /// - Throws: ``InvalidRequest``
    func prepare(_ exchange: Exchange, timeLeft: Duration) throws(InvalidRequest) {
        let request = exchange.request
        try RequestCheck.check(url: request.url, settings.options)
        headers = try HeaderLines.make(request, hasBody: exchange.bodyCount > 0)
        passgate_curl_set_text(easy, CURLOPT_URL, request.url)
        passgate_curl_set_headers(easy, headers)
        passgate_curl_set_long(easy, CURLOPT_TIMEOUT_MS, max(timeLeft.milliseconds, 1))
        // A body makes any method a POST with another name; so does a POST or PATCH without one, which then says that
        // its length is 0.
        if exchange.bodyCount > 0 || request.method == .post || request.method == .patch {
            passgate_curl_set_long(easy, CURLOPT_POST, 1)
            passgate_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(exchange.bodyCount))
            passgate_curl_set_text(
                easy, CURLOPT_CUSTOMREQUEST, request.method == .post ? nil : request.method.rawValue)
        } else {
            passgate_curl_set_long(easy, CURLOPT_HTTPGET, 1)
            passgate_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method == .get ? nil : request.method.rawValue)
        }
        self.exchange = exchange
        exchange.transfer = self
    }

    /// Lets the exchange go, and wipes what was the request's. To be called after the handle was removed.
    func clear() {
        exchange?.transfer = nil
        exchange = nil
        passgate_curl_set_headers(easy, nil)
        passgate_curl_free_headers(headers)
        headers = nil
    }

    /// The answer's status; 0 before one has come.
    var status: Int { passgate_curl_info(easy, CURLINFO_RESPONSE_CODE) }

    /// The fields of the last answer on the wire: none of an interim answer, a proxy, or a trailer.
    func answerHeaders() -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        var field = curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, nil)
        while let current = field {
            fields.append((String(cString: current.pointee.name).lowercased(), String(cString: current.pointee.value)))
            field = curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, current)
        }
        return fields
    }

    // MARK: What libcurl calls, on the loop

    private static func exchange(_ context: UnsafeMutableRawPointer?) -> Exchange? {
        context.flatMap { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue().exchange }
    }

    private static func read(
        _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int {
        guard let exchange = exchange(context) else { return Int(CURL_READFUNC_ABORT) }
        return exchange.takeBody(into: UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
    }

    private static func write(
        _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int {
        guard let exchange = exchange(context) else { return -1 }
        let raw = UnsafeRawBufferPointer(start: bytes, count: size * count)
        return raw.withMemoryRebound(to: UInt8.self) { exchange.keep($0) ? $0.count : -1 }
    }

    private static func header(
        _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
    ) -> Int {
        guard let exchange = exchange(context) else { return -1 }
        exchange.noteHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
        return size * count
    }

    /// Opens the socket of a new connection, unless its address is not allowed: then nothing is sent there at all.
    private static func openSocket(
        _ context: UnsafeMutableRawPointer?, _ address: UnsafeMutablePointer<curl_sockaddr>?
    ) -> curl_socket_t {
        guard let context, let address else { return CURL_SOCKET_BAD }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = Int(passgate_curl_address(address, &bytes))
        guard transfer.mayReach(.of(Array(bytes.prefix(count)))) else { return CURL_SOCKET_BAD }
        return passgate_curl_open_socket(address)
    }

    private func mayReach(_ kind: AddressClass?) -> Bool {
        guard let allowed = settings.options.allowedAddresses else { return true }
        if let kind, allowed.contains(kind) { return true }
        exchange?.isAddressRefused = true
        return false
    }

    private static func isAboutToWrite(_ context: UnsafeMutableRawPointer?, to remote: UnsafePointer<CChar>?) -> Int32 {
        guard let context else { return CURL_PREREQFUNC_ABORT }
        let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
        // The connection may be one that another transport made.
        if transfer.settings.options.allowedAddresses != nil {
            let kind = remote.flatMap { AddressClass.ofLiteral(String(cString: $0)) }
            guard transfer.mayReach(kind) else { return CURL_PREREQFUNC_ABORT }
        }
        let size = passgate_curl_info(transfer.easy, CURLINFO_REQUEST_SIZE)
        let mayGo = transfer.exchange?.mayBeWritten(requestSize: size) ?? false
        return mayGo ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
}
