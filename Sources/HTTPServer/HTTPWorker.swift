import CLinux
import CMicrohttpd
import EventLoop
import Glibc

/// The server's part on one loop: its listening socket, its connections, and its instance of the library.
///
/// The library never waits by itself. Its epoll descriptor is watched by the loop, and ``pump()`` runs it at the end
/// of a turn in which something happened. It is entered from the loop's thread alone, which is what its "external
/// polling" mode asks for, and never from one of its own callbacks.
///
/// Safe to share: but for ``begin()`` and what it is made of, everything is touched on the loop's thread alone.
final class HTTPWorker: @unchecked Sendable {
    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    let handler: any HTTPHandler
    let ledger: ServerLedger
    private var listener: Int32
    private(set) var daemon: OpaquePointer?
    private let callbacks: UnsafeMutablePointer<passgate_mhd_callbacks>
    /// One end of a pair whose other end is closed: what reads from it finds the end.
    private let deadEnd: Int32
    let scratch: UnsafeMutableRawBufferPointer
    var connections: [Int32: HTTPConnection] = [:]
    private var lingering: [Int32: LingeringSocket] = [:]
    /// The connection that is being handed to the library.
    var joining: HTTPConnection?
    /// The library has something to do.
    var wantsRun = false
    /// A handler's task has been started since the library began to run.
    var hasStartedTask = false
    private var settling: [HTTPConnection] = []
    /// The library has called back since it began to run.
    var hasCalled = false
    private var isToRunLater = false
    /// How often the library has run.
    private var runs: UInt64 = 0
    /// The connections that wait, suspended, to be told from one that the library has refused.
    var held: [HTTPConnection] = []
    var sweepTimer: EventLoop.Timer?

    init(
        loop: EventLoop, listener: Int32, configuration: HTTPServerConfiguration, handler: any HTTPHandler,
        ledger: ServerLedger
    ) {
        self.loop = loop
        self.listener = listener
        self.configuration = configuration
        self.handler = handler
        self.ledger = ledger
        scratch = .allocate(byteCount: configuration.headerBytes + 1, alignment: 16)
        callbacks = .allocate(capacity: 1)
        var pair: (Int32, Int32) = (-1, -1)
        withUnsafeMutablePointer(to: &pair) { pointer in
            pointer.withMemoryRebound(to: Int32.self, capacity: 2) { ends in
                _ = socketpair(
                    AF_UNIX,
                    Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
                        | Int32(SOCK_CLOEXEC.rawValue), 0, ends)
            }
        }
        close(pair.1)
        deadEnd = pair.0
        callbacks.initialize(to: Self.callbacks(for: Unmanaged.passUnretained(self).toOpaque()))
        // Room for a head at its limit, the library's records of it, and the head of an answer.
        let bytes = max(2 * configuration.headerBytes, 32_768)
        daemon = passgate_mhd_start(callbacks, bytes, UInt32(clamping: configuration.connectionLimit))
        precondition(daemon != nil, "the system has no descriptors left")
        // What the library refuses by itself is known by the message it then writes.
        precondition(MHD_is_feature_supported(.FEATURE_MESSAGES) == .YES, "the library has been built without messages")
    }

    deinit {
        callbacks.deallocate()
        scratch.deallocate()
        close(deadEnd)
    }

    // MARK: Beginning and end

    func begin() {
        guard let daemon else { return }
        loop.watch(passgate_mhd_epoll(daemon), for: .readable) { _ in self.wantsRun = true }
        loop.atEndOfTurn { [weak self] in self?.pump() }
        acceptFurther()
    }

    /// Takes what has connected, then no more; idle connections are closed, and those with a request are told.
    func beginDraining() {
        accept()
        closeListener()
        for connection in Array(connections.values) {
            if connection.phase == .idle { look(connection) }
            if connection.phase == .idle || connection.phase == .unsure { drop(connection) }
        }
    }

    /// Closes everything.
    func end() {
        guard let daemon = daemon.take() else { return }
        closeListener()
        sweepTimer?.cancel()
        for socket in Array(lingering.values) { socket.end() }
        loop.unwatch(passgate_mhd_epoll(daemon))
        for connection in Array(connections.values) {
            connection.phase = .leaving
            connection.exchange?.task?.cancel()
            guard let handle = connection.handle else {
                discard(connection)
                continue
            }
            if connection.isSuspended { MHD_resume_connection(handle) }
        }
        MHD_stop_daemon(daemon)
    }

    // MARK: Accepting

    private func acceptFurther() {
        guard listener >= 0 else { return }
        loop.watch(listener, for: .readable) { _ in self.accept() }
    }

    private func closeListener() {
        guard listener >= 0 else { return }
        loop.unwatch(listener)
        close(listener)
        listener = -1
    }

    private func accept() {
        guard listener >= 0 else { return }
        defer { scheduleSweep() }
        for _ in 0..<64 {
            var address = sockaddr_storage()
            var length = socklen_t()
            let descriptor = passgate_accept_with_address(listener, &address, &length)
            guard descriptor >= 0 else {
                if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS {
                    // Without descriptors the listener would be ready for ever: wait for some to be given back.
                    loop.unwatch(listener)
                    loop.schedule(after: .milliseconds(100)) { self.acceptFurther() }
                }
                return
            }
            guard ledger.admit() else {
                close(descriptor)
                continue
            }
            let connection = HTTPConnection(
                descriptor, address: address, addressLength: length, now: .now)
            connections[descriptor] = connection
            loop.watch(descriptor, for: [.readable, .halfClosed], edgeTriggered: true) { readiness in
                self.ready(connection, readiness)
            }
        }
    }

    // MARK: The library's turns

    /// Lets the library work until it has nothing left to do but wait, or until a handler's task must run first.
    ///
    /// Where the library asks to be run at once though it then does nothing, it is a connection that it has given up on
    /// without closing it (see ``settleChunks(_:_:_:)``): it is run again later.
    private func pump() {
        guard daemon != nil else { return }
        settle()
        var turns = 0
        var idleTurns = 0
        while wantsRun, let daemon {
            wantsRun = false
            hasStartedTask = false
            hasCalled = false
            MHD_run(daemon)
            runs += 1
            var wait: UInt64 = 0
            if MHD_get_timeout(daemon, &wait) == .YES {
                if wait == 0 { wantsRun = true } else { runLater(after: .milliseconds(Int64(clamping: wait))) }
            }
            // The tasks run next, and the loop then comes back here: most have their answer by then.
            if hasStartedTask { return }
            settle()
            turns += 1
            idleTurns = hasCalled ? 0 : idleTurns + 1
            if wantsRun && idleTurns == Self.idleTurnLimit {
                wantsRun = false
                return runLater(after: .milliseconds(10))
            }
            // A client that sends without end must not keep the loop from everything else.
            if wantsRun && turns == Self.turnLimit { return loop.execute {} }
        }
    }

    private static let idleTurnLimit = 8
    private static let turnLimit = 64

    private func runLater(after wait: Duration) {
        guard !isToRunLater else { return }
        isToRunLater = true
        loop.schedule(after: wait) {
            self.isToRunLater = false
            self.wantsRun = true
        }
    }

    /// Has ``settle()`` look at the connection once the library has run.
    func settleLater(_ connection: HTTPConnection) {
        if connection.isSettling { return }
        connection.isSettling = true
        connection.settlesAfter = runs
        settling.append(connection)
    }

    /// Parks the connections whose request is over, and suspends those whose body nobody asks for or that have sent a
    /// part of their chunks.
    private func settle() {
        settleHeld()
        var waiting: [HTTPConnection] = []
        while let connection = settling.popLast() {
            guard let handle = connection.handle, connection.phase != .leaving else {
                connection.isSettling = false
                continue
            }
            if connection.settlesAfter == runs {
                waiting.append(connection)
                continue
            }
            connection.isSettling = false
            guard let exchange = connection.exchange else {
                park(connection, handle)
                continue
            }
            guard exchange.stage == .receiving, !connection.isSuspended else { continue }
            if exchange.pipe?.isFull == true {
                suspend(connection, handle)
                exchange.pausedAt = .now
            } else if exchange.isChunked {
                settleChunks(connection, exchange, handle)
            }
        }
        settling.append(contentsOf: waiting)
    }

    /// Has the library leave the connection alone.
    func suspend(_ connection: HTTPConnection, _ handle: OpaquePointer) {
        connection.isSuspended = true
        MHD_suspend_connection(handle)
    }

    /// Lets the library go on with a connection that is suspended.
    func resume(_ connection: HTTPConnection, _ handle: OpaquePointer) {
        connection.isSuspended = false
        MHD_resume_connection(handle)
        wantsRun = true
        if connection.exchange?.isChunked == true { settleLater(connection) }
    }

    /// What was looked at may hold a secret.
    func wipeScratch(_ count: Int) {
        if let base = scratch.baseAddress { explicit_bzero(base, count) }
    }

    // MARK: Sockets that outlive their connection

    /// Keeps the socket until its client has stopped sending.
    func linger(_ descriptor: Int32) {
        guard descriptor >= 0 else { return }
        ledger.connectionStays()
        lingering[descriptor] = LingeringSocket(descriptor, on: loop, scratch: scratch) { [unowned self] in
            lingering[descriptor] = nil
            ledger.connectionEnded()
        }
    }

    /// Takes the connection's socket out of the library, which finds the end of the stream in its place.
    func reclaim(_ connection: HTTPConnection, _ handle: OpaquePointer) -> Int32 {
        if !connection.isSuspended { MHD_suspend_connection(handle) }
        let own = passgate_duplicate(connection.descriptor)
        loop.unwatch(connection.descriptor)
        passgate_replace(deadEnd, connection.descriptor)
        if connection.exchange?.isChunked == true { passgate_mhd_expire(handle) }
        connection.phase = .leaving
        resume(connection, handle)
        return own
    }

    /// Forgets a connection that the library does not have, and closes it.
    func discard(_ connection: HTTPConnection) {
        forget(connection)
        close(connection.descriptor)
    }

    /// Forgets a connection whose socket is closed elsewhere.
    func forget(_ connection: HTTPConnection) {
        guard connections.removeValue(forKey: connection.descriptor) != nil else { return }
        connection.phase = .leaving
        loop.unwatch(connection.descriptor)
        ledger.connectionEnded()
    }
}
