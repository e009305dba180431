import Provisioning
import Synchronization

/// The latest requests that one emulator saw, and how many there were.
final class RequestLog: Sendable {
    private struct State {
        var seen = 0
        var records: [RequestRecord] = []
    }
    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int = 1000) { self.limit = limit }

    var records: [RequestRecord] { state.withLock { $0.records } }

    var count: Int { state.withLock { $0.seen } }

    /// Notes a request and gives its number.
    func note(_ request: EmulatedRequest, at moment: Timestamp) -> Int {
        state.withLock { state in
            state.seen += 1
            if state.records.count == limit { state.records.removeFirst() }
            state.records.append(RequestRecord(number: state.seen, at: moment, request: request))
            return state.seen
        }
    }

    /// Notes how the request of that number was answered.
    func close(_ number: Int, status: Int, wasSpoiled: Bool) {
        state.withLock { state in
            guard let index = state.records.lastIndex(where: { $0.number == number }) else { return }
            state.records[index].status = status
            state.records[index].wasSpoiled = wasSpoiled
        }
    }

    func clear() { state.withLock { $0 = State() } }
}
