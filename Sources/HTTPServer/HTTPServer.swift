public import EventLoop
import Synchronization

/// Serves HTTP/1.1 and HTTP/1.0 on one port, over the loops it is given.
///
/// Each loop has listening socket and connections of its own; a request is read, handled and answered on the loop that
/// its connection arrived on. A connection is kept, but for the one that carried a chunked body: no two readers of chunks
/// need agree where they end, so nothing that follows them is read as a request. TLS is for a proxy in front.
public final class HTTPServer: Sendable {
    private let configuration: HTTPServerConfiguration
    private let loops: [EventLoop]
    private let handler: any HTTPHandler
    private let ledger: ServerLedger
    private let state = Mutex(State())

    private struct State {
        var hasStarted = false
        var port: UInt16
        var workers: [HTTPWorker] = []

        init(port: UInt16 = 0) { self.port = port }
    }

    /// A server that waits for ``start()``. The loops must have been started, and must outlive it.
    public init(configuration: HTTPServerConfiguration, loops: [EventLoop], handler: any HTTPHandler) {
        self.configuration = configuration
        self.loops = loops
        self.handler = handler
        ledger = ServerLedger(connectionLimit: configuration.connectionLimit)
        state.withLock { $0.port = configuration.port }
    }

    /// Listens. A client may connect as soon as this returns.
    ///
    /// - Throws: ``HTTPServerError``.
    public func start() throws(HTTPServerError) {
        let workers = try state.withLock { state throws(HTTPServerError) in
            if state.hasStarted { throw .alreadyStarted }
            let sockets = try ListeningSockets(
                host: configuration.host, port: configuration.port, count: loops.count)
            state.hasStarted = true
            state.port = sockets.port
            state.workers = zip(loops, sockets.descriptors).map { loop, descriptor in
                HTTPWorker(
                    loop: loop, listener: descriptor, configuration: configuration, handler: handler, ledger: ledger)
            }
            return state.workers
        }
        for worker in workers { worker.loop.execute { worker.begin() } }
    }

    /// The port it listens on: the real one once it has started, where 0 was asked for.
    public var port: UInt16 { state.withLock { $0.port } }

    /// How many connections are open, over all loops.
    public var openConnections: Int { ledger.openConnections }

    /// How many requests have been accepted whose answer is not delivered yet.
    public var inFlightRequests: Int { ledger.inFlightRequests }

    /// Stops in an orderly way: no new connection is accepted, idle ones are closed, what is in flight is finished with
    /// `Connection: close`, and what still begins is refused as ``HTTPRefusal/draining``. Returns when nothing is left,
    /// or after `deadline`, when the rest is cut off.
    public func drain(deadline: Duration) async {
        ledger.beginDraining()
        let workers = state.withLock { $0.workers }
        for worker in workers { await onLoop(worker) { worker.beginDraining() } }
        if let first = workers.first {
            let timer = Task(executorPreference: first.loop) { [ledger] in
                try await first.loop.sleep(for: deadline)
                ledger.endWait()
            }
            await ledger.untilIdle()
            timer.cancel()
        }
        await stop()
    }

    /// Stops at once: every connection is closed and every handler's task cancelled. When this returns, the port is
    /// free. Stopping twice does nothing.
    public func stop() async {
        let workers = state.withLock { state in
            defer { state.workers = [] }
            return state.workers
        }
        for worker in workers { await onLoop(worker) { worker.end() } }
    }

    private func onLoop(_ worker: HTTPWorker, _ body: @escaping @Sendable () -> Void) async {
        await Task(executorPreference: worker.loop) { body() }.value
    }
}
