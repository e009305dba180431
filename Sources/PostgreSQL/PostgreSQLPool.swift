internal import Dispatch
internal import EventLoop
internal import Synchronization

/// A bounded number of connections to a database, and the loop that drives them. Anybody may call it from anywhere.
///
/// While no connection can be made, callers are told so at once, and the pool goes on trying in the background.
///
/// Safe to share: callers are counted behind a mutex; all else is touched on the loop's thread alone.
public final class PostgreSQLPool: @unchecked Sendable {
    private struct Callers {
        var count = 0
        var isClosed = false
        var closer: CheckedContinuation<Void, Never>?
    }

    private final class Waiter {
        var continuation: UnsafeContinuation<Result<Session, PostgreSQLError>, Never>?
        var timer: EventLoop.Timer?
    }

    let loop: EventLoop
    let settings: PoolSettings
    private let address: DatabaseAddress
    private let callers = Mutex(Callers())
    private var idle: [Session] = []
    private var waiters: [Waiter] = []
    private var openCount = 0
    private var connectingCount = 0
    private var failures = 0
    private var lastFailure = PostgreSQLError(.unreachable)
    private var retryTimer: EventLoop.Timer?
    private var isClosed = false

    /// A pool without connections: they are made as they are needed.
    public init(_ address: DatabaseAddress, settings: PoolSettings = PoolSettings()) {
        self.address = address
        self.settings = settings
        loop = EventLoop(name: "passgate-pg")
        loop.start()
    }

    deinit {
        // Whoever lets go of the last reference may be on the loop itself.
        DispatchQueue.global().async { [loop] in loop.stop() }
    }

    // MARK: Callers

    /// Runs `body` on the loop, counted, unless the pool is closed.
    func enter<Answer: Sendable>(_ body: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
        let isOpen = callers.withLock { callers in
            if !callers.isClosed { callers.count += 1 }
            return !callers.isClosed
        }
        guard isOpen else { throw PostgreSQLError(.closed) }
        defer { leave() }
        return try await loop.on(body)
    }

    private func leave() {
        callers.withLock { callers in
            callers.count -= 1
            return callers.count == 0 ? callers.closer.take() : nil
        }?.resume()
    }

    /// Ends every connection after the work at hand. Every later call is told that the pool is closed.
    public func close() async {
        let isFirst = callers.withLock { callers in
            defer { callers.isClosed = true }
            return !callers.isClosed
        }
        guard isFirst else { return }
        await withCheckedContinuation { continuation in
            let isEmpty = callers.withLock { callers in
                if callers.count > 0 { callers.closer = continuation }
                return callers.count == 0
            }
            if isEmpty { continuation.resume() }
        }
        await loop.run { self.shut() }.value
    }

    private func shut() {
        isClosed = true
        retryTimer?.cancel()
        for session in idle { session.close() }
        idle = []
        openCount = 0
    }

    // MARK: Connections

    /// A connection for the caller alone, until it is given back.
    func acquire() async throws -> Session {
        loop.preconditionIsCurrent()
        while let session = idle.popLast() {
            if session.isOpen { return session }
        }
        if failures > 0, openCount == 0 { throw lastFailure }
        guard waiters.count < settings.waiters else { throw PostgreSQLError(.busy) }
        if openCount + connectingCount < settings.connections, retryTimer == nil { connect() }
        let result = await withUnsafeContinuation { continuation in
            let waiter = Waiter()
            waiter.continuation = continuation
            waiter.timer = loop.schedule(after: settings.patience) { [weak self] in
                self?.waiters.removeAll { $0 === waiter }
                let isReached = self.map { $0.openCount > 0 } ?? false
                waiter.continuation.take()?
                    .resume(returning: .failure(PostgreSQLError(isReached ? .busy : .unreachable)))
            }
            waiters.append(waiter)
        }
        return try result.get()
    }

    /// Takes a connection back.
    func release(_ session: Session) {
        loop.preconditionIsCurrent()
        guard session.isOpen else { return }
        if waiters.isEmpty {
            idle.append(session)
        } else {
            give(.success(session), to: waiters.removeFirst())
        }
    }

    /// Ends a connection that was taken.
    func discard(_ session: Session) {
        guard session.isOpen else { return }
        session.close()
        isLost(session)
    }

    private func give(_ result: Result<Session, PostgreSQLError>, to waiter: Waiter) {
        waiter.timer?.cancel()
        waiter.continuation.take()?.resume(returning: result)
    }

    private func connect() {
        connectingCount += 1
        loop.run { [weak self, address, loop, settings] in
            let result: Result<Session, any Error>
            do {
                result = .success(try await Connecting.connect(to: address, on: loop, settings))
            } catch {
                result = .failure(error)
            }
            guard let self else { return (try? result.get())?.close() ?? () }
            self.connectingCount -= 1
            switch result {
            case .success(let session): self.isConnected(session)
            case .failure(let error): self.isRefused(error as? PostgreSQLError ?? PostgreSQLError(.unreachable))
            }
        }
    }

    private func isConnected(_ session: Session) {
        if isClosed { return session.close() }
        failures = 0
        openCount += 1
        session.whenLost = { [weak self, weak session] in
            if let session { self?.isLost(session) }
        }
        release(session)
        if waiters.count > connectingCount, openCount + connectingCount < settings.connections { connect() }
    }

    private func isLost(_ session: Session) {
        openCount -= 1
        idle.removeAll { $0 === session }
        if openCount == 0 || !waiters.isEmpty, connectingCount == 0, retryTimer == nil, !isClosed { connect() }
    }

    private func isRefused(_ failure: PostgreSQLError) {
        failures += 1
        lastFailure = failure
        if openCount == 0 {
            for waiter in waiters { give(.failure(failure), to: waiter) }
            waiters = []
        }
        guard !isClosed, retryTimer == nil else { return }
        let longest = min(settings.firstPause * (1 << min(failures - 1, 12)), settings.longestPause)
        retryTimer = loop.schedule(after: longest * Double.random(in: 0.5...1)) { [weak self] in
            guard let self else { return }
            self.retryTimer = nil
            if self.connectingCount == 0, self.openCount == 0 || !self.waiters.isEmpty { self.connect() }
        }
    }
}
