import Synchronization

/// The deliveries that this process reads: how many of each connection, and which of them waits for which.
///
/// Deliveries are read side by side, so that a processor that is slow to tell what one is about holds up no other. Two about
/// the same token end in the order in which they came, else the earlier one would come too late and be no news any more.
final class InboundLedger: Sendable {
    /// How many may be read at once.
    static let limit = 256
    /// How many of one connection.
    static let limitPerConnection = 32

    /// A delivery's place.
    struct Place: Sendable {
        let connection: String
        fileprivate let number: Int
        fileprivate let subject: String?
        /// Tells how the delivery about the same that came before ended.
        fileprivate let before: AsyncStream<Bool>?
        fileprivate let end: AsyncStream<Bool>.Continuation

        /// Waits for the delivery about the same that came before. False where that one is to be read later, or nobody
        /// waits any more.
        func turn() async -> Bool {
            guard let before else { return true }
            for await wasRead in before { return wasRead }
            return false
        }
    }

    private struct State {
        var count = 0
        var counts: [String: Int] = [:]
        var last: [String: (number: Int, ended: AsyncStream<Bool>)] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    /// How many more may be read now, and the connections of which none may.
    var room: (count: Int, except: Set<String>) {
        state.withLock { state in
            (Self.limit - state.count, Set(state.counts.filter { $0.value >= Self.limitPerConnection }.keys))
        }
    }

    /// Gives a delivery its place. Those about the same must come here in their order.
    func enter(_ connection: String, about subject: String?) -> Place {
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        return state.withLock { state in
            state.count += 1
            state.counts[connection, default: 0] += 1
            state.next += 1
            let subject = subject.map { "\(connection)/\($0)" }
            let before = subject.flatMap { state.last.updateValue((state.next, ended), forKey: $0)?.ended }
            return Place(
                connection: connection, number: state.next, subject: subject, before: before, end: end)
        }
    }

    /// Ends a delivery's reading.
    ///
    /// - Parameter wasRead: Whether its end counts; else what waits for it is to be read later, too.
    func leave(_ place: Place, wasRead: Bool) {
        state.withLock { state in
            state.count -= 1
            state.counts[place.connection, default: 1] -= 1
            if state.counts[place.connection] == 0 { state.counts[place.connection] = nil }
            if let subject = place.subject, state.last[subject]?.number == place.number { state.last[subject] = nil }
        }
        place.end.yield(wasRead)
        place.end.finish()
    }
}
