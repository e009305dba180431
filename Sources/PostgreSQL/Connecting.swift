internal import CPostgreSQL
internal import EventLoop
internal import SecretMemory

/// A connection that is being made, step by step as its socket is ready.
///
/// Safe to share: everything but the look-up of names runs on the loop's thread, and checks it.
final class Connecting: @unchecked Sendable {
    private let loop: EventLoop
    private let settings: PoolSettings
    private var handle: OpaquePointer?
    private var descriptor: Int32 = -1
    private var timer: EventLoop.Timer?
    private var continuation: UnsafeContinuation<PostgreSQLError?, Never>?

    private init(on loop: EventLoop, _ settings: PoolSettings) {
        self.loop = loop
        self.settings = settings
    }

    /// Makes a connection, and sets it up.
    ///
    /// - Throws: ``PostgreSQLError`` where that fails or takes too long.
    static func connect(to address: DatabaseAddress, on loop: EventLoop, _ settings: PoolSettings) async throws
        -> Session
    {
        let parameters = try await Resolver.resolve(address.parameters)
        let attempt = Connecting(on: loop, settings)
        if let failure = await attempt.run(parameters) { throw failure }
        guard let handle = attempt.handle.take() else { throw PostgreSQLError(.unreachable) }
        let session = Session(handle, on: loop, answerTimeout: settings.answerTimeout)
        do {
            let life = Answer { $0.text(0) }
            try await session.perform([setUp(settings), Command(.once(ask), []) { try life.take($0) }])
            session.life = life.first
        } catch {
            session.close()
            throw error
        }
        return session
    }

    /// What a transaction of ours may rely on, whatever the server's own settings.
    private static func setUp(_ settings: PoolSettings) -> Command {
        let statement = settings.statementTimeout.milliseconds
        return Command(
            .once(
                """
                SELECT set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
                    set_config('idle_in_transaction_session_timeout', $3, false),
                    set_config('default_transaction_isolation', 'read committed', false),
                    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
                        WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
                    set_config('timezone', 'UTC', false), set_config('plan_cache_mode', 'force_generic_plan', false)
                """),
            [
                .text("\(statement)ms"), .text("\(statement)ms"),
                .text("\(settings.answerTimeout.milliseconds + statement)ms"),
            ])
    }

    /// What is another after the server has recovered from a crash, or another server has taken its place: when it was
    /// started, and since when it counts.
    private static let ask = """
        SELECT extract(epoch FROM pg_postmaster_start_time())::text || ' ' ||
            coalesce(extract(epoch FROM stats_reset), 0)::text FROM pg_stat_bgwriter
        """

    private func run(_ parameters: [String: SecretText]) async -> PostgreSQLError? {
        loop.preconditionIsCurrent()
        return await withUnsafeContinuation { continuation in
            self.continuation = continuation
            timer = loop.schedule(after: settings.connectTimeout) { [weak self] in
                self?.end(PostgreSQLError(.unreachable))
            }
            start(parameters)
        }
    }

    private func start(_ parameters: [String: SecretText]) {
        let pairs = parameters.sorted { $0.key < $1.key }
        let texts = pairs.map { Array($0.key.utf8CString) } + pairs.map { Array($0.value.reveal().utf8CString) }
        handle = texts.withCStrings { pointers in
            let keywords = Array(pointers.prefix(pairs.count)) + [nil]
            let values = Array(pointers.suffix(pairs.count)) + [nil]
            return PQconnectStartParams(keywords, values, 0)
        }
        guard let handle else { return end(PostgreSQLError(.unreachable)) }
        passgate_silence(handle)
        guard PQstatus(handle) != CONNECTION_BAD else { return end(failure(of: handle)) }
        wait(for: .writable)
    }

    private func wait(for readiness: EventLoop.Readiness) {
        guard let handle else { return }
        descriptor = PQsocket(handle)
        loop.watch(descriptor, for: readiness) { [weak self] _ in self?.step() }
    }

    private func step() {
        guard let handle else { return }
        // A further address has a socket of its own, perhaps of the same number.
        loop.unwatch(descriptor)
        switch PQconnectPoll(handle) {
        case PGRES_POLLING_READING: wait(for: .readable)
        case PGRES_POLLING_WRITING: wait(for: .writable)
        case PGRES_POLLING_OK:
            let isReady = PQsetnonblocking(handle, 1) == 0 && PQenterPipelineMode(handle) == 1
            end(isReady ? nil : PostgreSQLError(.unreachable))
        default: end(failure(of: handle))
        }
    }

    /// libpq has no code for why a connection was not made, only a text that quotes what it was made with.
    private func failure(of handle: OpaquePointer) -> PostgreSQLError {
        PostgreSQLError(
            PQconnectionNeedsPassword(handle) == 1 || PQconnectionUsedPassword(handle) == 1 ? .refused : .unreachable)
    }

    private func end(_ failure: PostgreSQLError?) {
        guard let waiting = continuation.take() else { return }
        timer?.cancel()
        if failure != nil, let handle = handle.take() {
            if descriptor >= 0 { loop.unwatch(descriptor) }
            PQfinish(handle)
        }
        waiting.resume(returning: failure)
    }
}

extension Duration {
    /// Whole milliseconds.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

extension [[CChar]] {
    /// Calls `body` with the addresses of the texts, which end with a NUL each.
    fileprivate func withCStrings<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        var offsets: [Int] = []
        var joined: [CChar] = []
        for text in self {
            offsets.append(joined.count)
            joined.append(contentsOf: text)
        }
        return joined.withUnsafeBufferPointer { buffer in
            body(offsets.map { buffer.baseAddress?.advanced(by: $0) })
        }
    }
}
