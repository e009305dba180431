internal import Glibc

/// Where threads wait for work that tasks leave for them.
///
/// Safe to share: everything is behind the mutex, and nothing but a wait is done while it is held.
public final class Mailbox<Element: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var elements: [Element] = []
    private var wakeAt: UInt64?
    private var isClosed = false

    /// An empty mailbox.
    public init() {
        mutex.initialize(to: pthread_mutex_t())
        changed.initialize(to: pthread_cond_t())
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(changed)
        pthread_mutex_destroy(mutex)
        changed.deallocate()
        mutex.deallocate()
    }

    /// Leaves an element. False where the mailbox is closed: then nobody will take it.
    public func put(_ element: Element) -> Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if isClosed { return false }
        elements.append(element)
        pthread_cond_signal(changed)
        return true
    }

    /// Makes ``take(atMost:)`` return after that time at the latest, with or without elements.
    public func wake(afterMilliseconds milliseconds: UInt64) {
        let moment = monotonicNanoseconds() + milliseconds * 1_000_000
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        if let wakeAt, wakeAt <= moment { return }
        wakeAt = moment
        pthread_cond_signal(changed)
    }

    /// Waits for elements and takes them, the oldest first. Blocks the thread.
    ///
    /// - Returns: At most `limit` elements, none after a ``wake(afterMilliseconds:)``; nil once the mailbox is closed and
    ///   empty.
    public func take(atMost limit: Int) -> [Element]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while elements.isEmpty && !isClosed {
            guard let moment = wakeAt else {
                pthread_cond_wait(changed, mutex)
                continue
            }
            if monotonicNanoseconds() >= moment { break }
            var until = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
            pthread_cond_timedwait(changed, mutex, &until)
        }
        wakeAt = nil
        if elements.isEmpty { return isClosed ? nil : [] }
        guard elements.count > limit else {
            defer { elements.removeAll(keepingCapacity: true) }
            return elements
        }
        defer { elements.removeFirst(limit) }
        return Array(elements.prefix(limit))
    }

    /// Takes nothing more in. What is there can still be taken.
    public func close() {
        pthread_mutex_lock(mutex)
        isClosed = true
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }
}

/// Nanoseconds on the clock that the mailbox waits by.
private func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
