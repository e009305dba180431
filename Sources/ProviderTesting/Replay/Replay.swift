public import ProviderKit
import Synchronization

/// Plays exchanges back, and insists on the requests that they show.
///
/// A mismatch is a complaint, not an error: an adapter would normalize an error.
public final class Replay: UpstreamTransport, CustomReflectable {
    /// What the last exchange of a fixture ends in.
    public enum Ending: Sendable {
        /// The answer that the fixture shows.
        case recorded
        /// Another answer.
        case answer(UpstreamResponse)
        /// No answer.
        case failure(TransportFailure)
        /// Silence, until the deadline or until the task is cancelled.
        case silence
    }

    private let fixture: Fixture
    private let ending: Ending
    private let record: Mutex<(requests: [UpstreamRequest], complaints: [String])> = Mutex(([], []))

    /// Plays a fixture back.
    public init(_ fixture: Fixture, ending: Ending = .recorded) {
        self.fixture = fixture
        self.ending = ending
    }

    /// What was asked so far.
    public var requests: [UpstreamRequest] { record.withLock { $0.requests } }

    /// In what the requests differ from the fixture's. They quote values: those are invented.
    public var complaints: [String] { record.withLock { $0.complaints } }

    /// Nothing: a provider's description must not show what a fixture holds.
    public var customMirror: Mirror { Mirror(self, children: []) }

    /// Compares the request with the exchange of that path, and answers.
    public func send(_ request: UpstreamRequest) async throws(TransportFailure) -> UpstreamResponse {
        let index = fixture.exchanges.firstIndex { $0.request.isAddressed(like: request) }
        let exchange = index.map { fixture.exchanges[$0] } ?? fixture.exchanges.last
        let differences = exchange?.request.differences(from: request) ?? ["\(fixture.name) has no exchange"]
        record.withLock { record in
            record.requests.append(request)
            record.complaints += differences.map { "\(fixture.name) (\(fixture.because)): \($0)" }
        }
        guard let exchange else { throw .notSent(.unreachable) }
        if let index, index < fixture.exchanges.count - 1 { return exchange.response }
        switch ending {
        case .recorded: return exchange.response
        case .answer(let response): return response
        case .failure(let failure): throw failure
        case .silence:
            try? await Task.sleep(until: request.deadline, clock: .continuous)
            throw Task.isCancelled ? .notSent(.cancelled) : .outcomeUnknown(.deadline)
        }
    }
}
