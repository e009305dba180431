/// Statements that take effect together. It belongs to the closure that it was given to.
///
/// A statement waits until an answer is needed, or until the end: all that wait are sent at once, so a change without a
/// decision in between costs one round trip. Statements are literals: each connection prepares one once.
public final class Transaction {
    /// How batches become transactions.
    enum Mode {
        /// All of them are one, which is committed at the end.
        case whole
        /// Each is one of its own.
        case batches
    }

    let session: Session
    private let mode: Mode
    private var waiting: [Command] = []
    private var isBegun = false
    private let number = Answer { $0.text(0) }
    /// Whether its end was sent: without an answer nobody knows whether it took effect.
    private(set) var isEnding = false

    init(on session: Session, _ mode: Mode) {
        self.session = session
        self.mode = mode
    }

    /// What the server can be asked later about it; nil where it was one batch.
    var id: String? { number.first }

    // MARK: Statements

    /// Adds a statement whose rows do not matter; its answer counts what it changed.
    @discardableResult
    public func run(_ sql: StaticString, _ values: PostgreSQLValue...) -> Answer<Void> {
        add(Command.Text.literal(sql), values) { _ in () }
    }

    /// Adds a statement, and answers what `body` will have made of its rows once it was sent.
    public func ask<Element>(
        _ sql: StaticString, _ values: PostgreSQLValue..., as body: @escaping (borrowing Row) throws -> Element
    ) -> Answer<Element> {
        add(Command.Text.literal(sql), values, body)
    }

    /// Adds a statement without parameters that is used once: of a schema.
    public func execute(_ sql: String) { _ = add(Command.Text.once(sql), []) { _ in () } }

    /// Sends what waits, and waits for the answers.
    ///
    /// - Throws: The first failure; then nothing of the transaction takes effect.
    public func send() async throws {
        if waiting.isEmpty { return }
        if mode == .batches {
            isEnding = true
            return try await session.perform(takeWaiting())
        }
        if isBegun { return try await session.perform(takeWaiting()) }
        isBegun = true
        try await session.perform([Self.begin, identify] + takeWaiting())
    }

    /// Runs a statement with all that waits, and answers how many rows it changed.
    public func change(_ sql: StaticString, _ values: PostgreSQLValue...) async throws -> Int {
        let answer = add(Command.Text.literal(sql), values) { _ in () }
        try await send()
        return answer.count
    }

    /// What `body` makes of the first row; nil without one.
    public func first<Element>(
        _ sql: StaticString, _ values: PostgreSQLValue..., as body: @escaping (borrowing Row) throws -> Element
    ) async throws -> Element? {
        let answer = add(Command.Text.literal(sql), values, body)
        try await send()
        return answer.first
    }

    /// What `body` makes of every row.
    public func all<Element>(
        _ sql: StaticString, _ values: PostgreSQLValue..., as body: @escaping (borrowing Row) throws -> Element
    ) async throws -> [Element] {
        let answer = add(Command.Text.literal(sql), values, body)
        try await send()
        return answer.rows
    }

    private func add<Element>(
        _ text: Command.Text, _ values: [PostgreSQLValue], _ body: @escaping (borrowing Row) throws -> Element
    ) -> Answer<Element> {
        let answer = Answer(decode: body)
        waiting.append(Command(text, values) { try answer.take($0) })
        return answer
    }

    // MARK: Beginning and end

    private static var begin: Command { Command(.literal("BEGIN")) }

    private var identify: Command {
        Command(.literal("SELECT pg_current_xact_id()::text")) { [number] in try number.take($0) }
    }

    private func takeWaiting() -> [Command] {
        defer { waiting = [] }
        return waiting
    }

    /// Sends what waits, and commits.
    func commit() async throws {
        guard isBegun || !waiting.isEmpty else { return }
        guard session.isOpen else { throw PostgreSQLError(.lost) }
        isEnding = true
        try await session.perform(takeWaiting() + (isBegun ? [Command(.literal("COMMIT"))] : []))
    }

    /// Undoes what was done. False where the connection cannot be used any more.
    func rollback() async -> Bool {
        if session.isOpen, !session.isIdle { try? await session.perform([Command(.literal("ROLLBACK"))]) }
        return session.isOpen && session.isIdle
    }
}
