import CMicrohttpd

/// One client's connection. On its loop only.
///
/// Between requests the connection is parked: the library either does not have it yet or holds it suspended, and our
/// own watch looks at what arrives (``HeadReading``) before the library may read it.
final class HTTPConnection {
    enum Phase {
        /// Between requests; nothing has arrived.
        case idle
        /// A part of a head waits in the socket.
        case arriving
        /// The library has a request of it.
        case engaged
        /// Between requests, but the library may hold bytes that we have not seen: a client that pipelines.
        case unsure
        /// It is on its way out.
        case leaving
    }

    let descriptor: Int32
    let address: sockaddr_storage
    let addressLength: socklen_t
    /// The peer's address as text.
    let remoteAddress: String
    /// The library's connection, while it has one.
    var handle: OpaquePointer?
    var isSuspended = false
    var phase = Phase.idle
    /// When the phase began; for an arriving head, its first byte.
    var since: ContinuousClock.Instant
    /// The head that has been found sound and that the library reads next.
    var head: RequestHead?
    var exchange: HTTPExchange?
    /// How many bytes the requests so far had.
    var accounted: UInt64 = 0
    /// The library closes it: its last request was not whole, or had its last answer.
    var hasEnded = false
    /// The client has ended its side.
    var isHalfClosed = false
    /// The connection was reset or has failed.
    var isGone = false
    /// After the library has closed it, its socket lingers for a client that is still sending.
    var lingers = false
    /// It waits for ``HTTPWorker/settle()``.
    var isSettling = false
    /// How often the library had run when it began to wait.
    var settlesAfter: UInt64 = 0
    /// It is suspended until it is known whether the library has refused it, see ``HTTPWorker/holdReading()``.
    var isHeld = false
    /// Its last request ended before it was whole, and had no answer.
    var isUnanswered = false
    /// After the last answer, a further request was to be read.
    var isKept = false

    init(_ descriptor: Int32, address: sockaddr_storage, addressLength: socklen_t, now: ContinuousClock.Instant) {
        self.descriptor = descriptor
        self.address = address
        self.addressLength = addressLength
        since = now
        var address = address
        remoteAddress = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            guard let base = text.baseAddress, passgate_address_text(&address, base, 64) == 0 else { return "" }
            return String(cString: base)
        }
    }
}
