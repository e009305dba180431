public import ProviderKit
import Synchronization

/// A transport that answers from a closure, and remembers what it was asked.
///
/// ```swift
/// let transport = ScriptedTransport { _ in .answer(200, #"{"status":"active"}"#) }
/// ```
public final class ScriptedTransport: UpstreamTransport, CustomReflectable {
    private let answer: @Sendable (UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse
    private let record: Mutex<[UpstreamRequest]> = Mutex([])

    /// Answers each request as the closure says.
    public init(_ answer: @escaping @Sendable (UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse) {
        self.answer = answer
    }

    /// Gives the answers in turn; when they are used up, no connection can be made.
    public convenience init(answers: [Result<UpstreamResponse, TransportFailure>]) {
        let queue = AnswerQueue(answers)
        self.init { _ throws(TransportFailure) in try queue.next() }
    }

    /// What was asked so far.
    public var requests: [UpstreamRequest] { record.withLock { $0 } }

    /// Nothing: a provider's description must not show what a script holds.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Remembers the request, and answers.
    public func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        record.withLock { $0.append(request) }
        return try await answer(request)
    }
}

/// Answers that are given once each.
private final class AnswerQueue: Sendable {
    private let answers: Mutex<[Result<UpstreamResponse, TransportFailure>]>

    init(_ answers: [Result<UpstreamResponse, TransportFailure>]) { self.answers = Mutex(answers.reversed()) }

    func next() throws(TransportFailure) -> UpstreamResponse {
        let answer = answers.withLock { $0.popLast() }
        return try (answer ?? .failure(.notSent(.unreachable))).get()
    }
}
