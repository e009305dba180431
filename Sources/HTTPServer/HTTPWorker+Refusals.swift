import CMicrohttpd

/// What the library refuses by itself, answered in our words.
///
/// The library looks at more than we can look at before it does: at chunks and what trails them, and at the head of a
/// request that arrived in one packet with the one before. What it finds wrong there it answers with a page of its own,
/// or closes the connection without a word. Neither may reach a client.
///
/// Before it answers by itself, the library writes a message; which connection it is about, the message does not say.
/// So every connection that it may be reading is suspended at once, from within the message, and no byte of any answer
/// can leave. When the library has run, the one that has an answer is refused by us; the others go on.
extension HTTPWorker {
    /// What is said of a request that the library has not made sense of.
    static let unread = HTTPRefusal.malformed("the request is cut short, or its bytes are no HTTP")

    /// The library has written a message: suspends what it may be about.
    func holdReading() {
        guard daemon != nil else { return }
        for connection in connections.values where !connection.isSuspended && mayBeRead(connection) {
            guard let handle = connection.handle else { continue }
            suspend(connection, handle)
            connection.isHeld = true
            held.append(connection)
        }
    }

    /// Whether the library may be reading a request of the connection, and has no answer of ours.
    ///
    /// One that it closes in this run stays on our books until the run ends, and must be left alone: suspended, it would
    /// be put away twice, and the process would end. It closes a connection whose request was not whole or whose answer
    /// was its last; one that a reset has broken, where nobody can be answered; and between requests one whose client
    /// has ended its side, which has sent nothing that is still to be read.
    private func mayBeRead(_ connection: HTTPConnection) -> Bool {
        if connection.hasEnded { return false }
        var isGone: Int32 = 0
        var received: UInt64 = 0
        switch connection.phase {
        case .idle, .arriving, .leaving: return false
        case .engaged:
            let isRead = connection.exchange.map { $0.stage == .started || $0.stage == .receiving } ?? true
            guard isRead else { return false }
            return passgate_tcp_progress(connection.descriptor, &isGone, &received) == 0 && isGone == 0
        case .unsure:
            guard passgate_tcp_progress(connection.descriptor, &isGone, &received) == 0, isGone == 0 else {
                return false
            }
            let unread = UInt64(max(passgate_unread_bytes(connection.descriptor), 0))
            return received &- unread > connection.accounted
        }
    }

    /// Tells the connection that the library has refused from those that have only been held.
    func settleHeld() {
        while let connection = held.popLast() {
            connection.isHeld = false
            guard let handle = connection.handle, connection.isSuspended, connection.phase != .leaving else { continue }
            let status = passgate_mhd_status(handle)
            if status == 0 || connection.exchange?.stage == .answering {
                resume(connection, handle)
            } else {
                refuse(connection, Self.refusal(status))
            }
        }
    }

    private static func refusal(_ status: UInt32) -> HTTPRefusal {
        switch status {
        case 413: .payloadTooLarge
        case 414, 431: .headersTooLarge
        default: .malformed("the request line, a field, a chunk or what trails the chunks is no sound HTTP")
        }
    }

    /// Whether a connection that the library closes has sent something that is still without an answer.
    func isOwedAnswer(_ connection: HTTPConnection) -> Bool {
        guard !connection.isGone, connection.phase == .engaged || connection.phase == .unsure else { return false }
        var isGone: Int32 = 0
        var received: UInt64 = 0
        guard passgate_tcp_progress(connection.descriptor, &isGone, &received) == 0, isGone == 0 else { return false }
        return connection.isUnanswered || connection.isKept && received > connection.accounted
    }

    // MARK: Chunks

    /// More of a chunked body has arrived.
    func chunksArrived(_ connection: HTTPConnection) {
        guard let exchange = connection.exchange, exchange.stage == .receiving, !connection.isHeld,
            exchange.pausedAt == nil, let handle = connection.handle
        else { return }
        if connection.isSuspended { resume(connection, handle) } else { settleLater(connection) }
    }

    /// Lets the library read chunks only while there are some.
    ///
    /// A line of the chunks' framing that is longer than the library's buffer leaves it at a loss: it neither reads on
    /// nor gives up, and asks to be run again at once, for ever. It is known by what it leaves unread.
    func settleChunks(_ connection: HTTPConnection, _ exchange: HTTPExchange, _ handle: OpaquePointer) {
        var isGone: Int32 = 0
        var received: UInt64 = 0
        guard passgate_tcp_progress(connection.descriptor, &isGone, &received) == 0, isGone == 0 else { return }
        let unread = UInt64(max(passgate_unread_bytes(connection.descriptor), 0))
        let read = received &- unread
        let isFirstLook = exchange.readBytes == 0
        exchange.stalls = read == exchange.readBytes ? exchange.stalls + 1 : 0
        exchange.readBytes = read
        if unread > 0 || connection.isHalfClosed {
            if exchange.stalls == Self.stallLimit {
                refuse(connection, .malformed("the chunks are cut short, or a line of their framing is too long"))
            } else {
                settleLater(connection)
            }
        } else if isFirstLook {
            // The library may first have to tell the client that the body can come.
            settleLater(connection)
        } else {
            suspend(connection, handle)
        }
    }

    /// So often the library may run without reading what there is: once it only tells the client to go on.
    private static let stallLimit = 4
}
