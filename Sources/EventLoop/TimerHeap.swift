/// The timers of one loop, the next one first: a binary heap by moment, then by order of arrival.
struct TimerHeap {
    private var heap: [EventLoop.Timer] = []
    private var added = 0
    private let cancelled = CancelledCount()

    /// How many timers of the heap are cancelled. On the loop only.
    final class CancelledCount {
        var value = 0
    }

    /// How many timers stand in the heap, cancelled ones included.
    var count: Int { heap.count }

    mutating func add(at moment: ContinuousClock.Instant, _ body: @escaping () -> Void) -> EventLoop.Timer {
        if cancelled.value > 64, cancelled.value > heap.count / 2 { sweepCancelled() }
        added += 1
        let timer = EventLoop.Timer(fireAt: moment, order: added, cancelled: cancelled, body: body)
        heap.append(timer)
        siftUp(heap.count - 1)
        return timer
    }

    /// How long epoll may wait: -1 without a timer, else rounded up so that it never wakes early.
    func milliseconds(until now: ContinuousClock.Instant) -> Int32 {
        guard let next = heap.first else { return -1 }
        let left = next.fireAt - now
        if left <= .zero { return 0 }
        let (seconds, attoseconds) = left.components
        let milliseconds = seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: min(milliseconds, 60_000))
    }

    /// What is due, in order. The caller runs it: a body may add timers, or cancel one that is due after it.
    mutating func takeDue(at now: ContinuousClock.Instant) -> [EventLoop.Timer] {
        var due: [EventLoop.Timer] = []
        while let next = heap.first, next.body == nil || next.fireAt <= now {
            removeFirst()
            if next.body == nil { cancelled.value -= 1 } else { due.append(next) }
        }
        return due
    }

    /// Takes out the cancelled timers, once they are the greater part: most deadlines are cancelled long before they
    /// are due. A sorted array is a heap.
    private mutating func sweepCancelled() {
        heap.removeAll { $0.body == nil }
        heap.sort(by: isBefore)
        cancelled.value = 0
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        siftDown(0)
    }

    private func isBefore(_ left: EventLoop.Timer, _ right: EventLoop.Timer) -> Bool {
        left.fireAt == right.fireAt ? left.order < right.order : left.fireAt < right.fireAt
    }

    private mutating func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard isBefore(heap[child], heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func siftDown(_ start: Int) {
        var parent = start
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && isBefore(heap[child], heap[first])
            {
                first = child
            }
            if first == parent { return }
            heap.swapAt(parent, first)
            parent = first
        }
    }
}
