internal import CPostgreSQL
internal import EventLoop

/// One connection to a server, in libpq's pipeline mode, driven by one loop.
///
/// Safe to share: everything runs on the loop's thread, and checks it; libpq's handle is touched nowhere else.
final class Session: @unchecked Sendable {
    /// What the server is yet to answer, in order.
    private enum Expected {
        case preparation(UInt)
        case statement(Command)
        case sync
    }

    private struct Exchange {
        let continuation: UnsafeContinuation<(any Error)?, Never>
        let timer: EventLoop.Timer
        var failure: (any Error)?
    }

    private let loop: EventLoop
    private let answerTimeout: Duration
    private var handle: OpaquePointer?
    private let descriptor: Int32
    private var statements: [UInt: String] = [:]
    private var statementsMade = 0
    private var expected: [Expected] = []
    private var position = 0
    private var isWithinCommand = false
    private var exchange: Exchange?
    private var waitsToWrite = false
    /// Tells one run of the server from any other. Within one, no two transactions have the same number; after a crash
    /// the numbers of those that left nothing behind are given again.
    var life: String?
    /// Called once, when the connection breaks.
    var whenLost: (() -> Void)?

    /// Takes over a connection that was made.
    init(_ handle: OpaquePointer, on loop: EventLoop, answerTimeout: Duration) {
        self.loop = loop
        self.handle = handle
        self.answerTimeout = answerTimeout
        descriptor = PQsocket(handle)
        watch()
    }

    deinit { PQfinish(handle) }

    /// Whether statements can be sent.
    var isOpen: Bool { handle != nil }

    /// Whether no transaction is open or failed.
    var isIdle: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_IDLE } ?? false }

    /// Ends the connection.
    func close() {
        loop.preconditionIsCurrent()
        whenLost = nil
        lose(PostgreSQLError(.closed))
    }

    // MARK: Sending

    /// Sends statements all at once, as one transaction unless one is open, and waits until all are answered.
    ///
    /// - Throws: The first failure, of the server or of a command that could not read its answer.
    func perform(_ commands: [Command]) async throws {
        loop.preconditionIsCurrent()
        let failure = await withUnsafeContinuation { continuation in start(commands, continuation) }
        if let failure { throw failure }
    }

    private func start(_ commands: [Command], _ continuation: UnsafeContinuation<(any Error)?, Never>) {
        loop.preconditionIsCurrent()
        precondition(exchange == nil, "a connection was used within its own exchange")
        guard let handle else { return continuation.resume(returning: PostgreSQLError(.lost)) }
        let timer = loop.schedule(after: answerTimeout) { [weak self] in self?.lose(PostgreSQLError(.lost)) }
        exchange = Exchange(continuation: continuation, timer: timer)
        for command in commands {
            guard send(command, through: handle) else { return lose(PostgreSQLError(.lost)) }
        }
        expected.append(.sync)
        guard PQpipelineSync(handle) == 1 else { return lose(PostgreSQLError(.lost)) }
        flush()
    }

    private func send(_ command: Command, through handle: OpaquePointer) -> Bool {
        switch command.text {
        case .literal(let sql):
            guard let name = prepare(sql, through: handle) else { return false }
            expected.append(.statement(command))
            return Parameters.withPointers(to: command.values) { values, lengths, formats in
                PQsendQueryPrepared(handle, name, Int32(values.count), values, lengths, formats, 1) == 1
            }
        case .once(let sql):
            expected.append(.statement(command))
            return Parameters.withPointers(to: command.values) { values, lengths, formats in
                PQsendQueryParams(handle, sql, Int32(values.count), nil, values, lengths, formats, 1) == 1
            }
        }
    }

    /// The name of a prepared statement; one that is new is sent to be prepared.
    private func prepare(_ sql: StaticString, through handle: OpaquePointer) -> String? {
        precondition(sql.hasPointerRepresentation, "a statement is longer than one character")
        let key = UInt(bitPattern: sql.utf8Start)
        if let name = statements[key] { return name }
        statementsMade += 1
        let name = "s\(statementsMade)"
        let isSent = sql.utf8Start.withMemoryRebound(to: CChar.self, capacity: sql.utf8CodeUnitCount + 1) { text in
            PQsendPrepare(handle, name, text, 0, nil) == 1
        }
        guard isSent else { return nil }
        expected.append(.preparation(key))
        statements[key] = name
        return name
    }

    // MARK: The socket

    private func watch() {
        loop.watch(descriptor, for: waitsToWrite ? [.readable, .writable] : .readable) { [weak self] _ in
            self?.isReady()
        }
    }

    private func isReady() {
        if waitsToWrite { flush() }
        read()
    }

    private func flush() {
        guard let handle else { return }
        let left = PQflush(handle)
        guard left >= 0 else { return lose(PostgreSQLError(.lost)) }
        if waitsToWrite != (left > 0) {
            waitsToWrite = left > 0
            watch()
        }
    }

    private func read() {
        guard let handle else { return }
        let isWhole = PQconsumeInput(handle) == 1
        // What came before the end counts: it may be the answer to a commit.
        while PQisBusy(handle) == 0, position < expected.count {
            guard let result = PQgetResult(handle) else {
                guard isWithinCommand else { break }
                isWithinCommand = false
                advance()
                continue
            }
            take(result)
            PQclear(result)
            if self.handle == nil { return }
        }
        if !isWhole || PQstatus(handle) != CONNECTION_OK { lose(PostgreSQLError(.lost)) }
    }

    private func take(_ result: OpaquePointer) {
        let status = PQresultStatus(result)
        if status == PGRES_PIPELINE_SYNC {
            advance()
            return finish()
        }
        isWithinCommand = true
        switch expected[position] {
        case .preparation(let key):
            // One that failed, or was left out after a failure, is not there.
            if status != PGRES_COMMAND_OK { statements[key] = nil }
        case .statement(let command):
            guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else { break }
            do { try command.deliver(result) } catch { note(error) }
        case .sync: break
        }
        if status == PGRES_FATAL_ERROR { note(PostgreSQLError(result: result)) }
    }

    private func note(_ failure: any Error) {
        if exchange?.failure == nil { exchange?.failure = failure }
    }

    private func advance() {
        position += 1
        guard position == expected.count else { return }
        expected.removeAll(keepingCapacity: true)
        position = 0
    }

    private func finish() {
        guard let ended = exchange.take() else { return }
        ended.timer.cancel()
        ended.continuation.resume(returning: ended.failure)
    }

    /// Ends the connection. Whoever waits is told the server's last word, or that the connection broke.
    private func lose(_ failure: PostgreSQLError) {
        loop.preconditionIsCurrent()
        guard let handle else { return }
        self.handle = nil
        loop.unwatch(descriptor)
        PQfinish(handle)
        if let noted = exchange?.failure as? PostgreSQLError, noted.kind == .lost {
        } else {
            exchange?.failure = failure
        }
        finish()
        whenLost.take()?()
    }
}
