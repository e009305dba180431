internal import CLinux
internal import Glibc
internal import Synchronization

/// One thread that waits on epoll and runs every task, timer and socket that belongs to it.
///
/// A request's task is started with the loop as its executor preference (``run(_:)``), so plain `async` functions run
/// on the thread that the request arrived on. Nothing may block on it.
///
/// Safe to share: what is not atomic or behind a mutex is touched on the loop's thread alone, and every entry checks it.
public final class EventLoop: TaskExecutor, SerialExecutor, @unchecked Sendable {
    /// The loop's name, for the thread.
    public let name: String
    let epoll: Int32
    private let wake: Int32
    private let thread = Mutex<pthread_t?>(nil)
    private let remote = Mutex(Remote())
    private var jobs: [UnownedJob] = []
    private var spare: [UnownedJob] = []
    private var isDraining = false
    private var isStopped = false
    private var watches: [Int32: Watch] = [:]
    private var watchesMade: UInt32 = 0
    var timers = TimerHeap()
    private var afterTurn: [@Sendable () -> Void] = []

    private struct Remote {
        var jobs: [UnownedJob] = []
        var isWoken = false
    }

    /// A loop that waits for ``start()``.
    public init(name: String) {
        self.name = name
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wake = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(epoll >= 0 && wake >= 0, "the kernel has no descriptors left")
        control(EPOLL_CTL_ADD, wake, EPOLLIN.rawValue, 0)
    }

    deinit {
        close(wake)
        close(epoll)
    }

    /// The loop whose thread this is; nil on any other thread.
    public static var current: EventLoop? {
        pthread_getspecific(currentKey).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether this is the loop's thread.
    public var isCurrent: Bool { Self.current === self }

    /// Starts the thread. The loop then lives until ``stop()``.
    public func start() {
        let context = Unmanaged.passRetained(self).toOpaque()
        var handle = pthread_t()
        let code = pthread_create(&handle, nil, { EventLoop.enter($0) }, context)
        precondition(code == 0, "the kernel gave no thread")
        thread.withLock { $0 = handle }
    }

    /// Ends the thread after the jobs at hand, and waits for it. Not to be called on the loop.
    public func stop() {
        precondition(!isCurrent, "a loop cannot wait for itself")
        execute { [self] in isStopped = true }
        if let handle = thread.withLock({ $0.take() }) { pthread_join(handle, nil) }
    }

    // MARK: Tasks

    /// Starts a task that runs on this loop, with everything it awaits.
    @discardableResult
    public func run<Success: Sendable>(_ operation: @escaping @Sendable () async -> Success) -> Task<Success, Never> {
        Task(executorPreference: self, operation: operation)
    }

    /// Runs `operation` on this loop and waits for its result.
    public func on<Success: Sendable>(_ operation: @escaping @Sendable () async throws -> Success) async throws
        -> Success
    {
        try await Task(executorPreference: self, operation: operation).value
    }

    /// Calls `body` on the loop: soon, never before this returns.
    public func execute(_ body: @escaping @Sendable () -> Void) { run { body() } }

    /// Calls `body` at the end of every turn, on the loop. For a library that wants to be driven once a turn.
    public func atEndOfTurn(_ body: @escaping @Sendable () -> Void) {
        preconditionIsCurrent()
        afterTurn.append(body)
    }

    /// Takes a job from the concurrency runtime.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
            return
        }
        let mustWake = remote.withLock { remote in
            remote.jobs.append(job)
            defer { remote.isWoken = true }
            return !remote.isWoken
        }
        if mustWake { _ = eventfd_write(wake, 1) }
    }

    /// This loop as a serial executor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// This loop as a task executor.
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    /// Traps unless this is the loop's thread.
    public func checkIsolated() { preconditionIsCurrent() }

    /// Traps unless this is the loop's thread.
    @inline(__always)
    public func preconditionIsCurrent() { precondition(isCurrent, "not on the thread of \(name)") }

    // MARK: Descriptors

    /// What a watched descriptor is ready for.
    public struct Readiness: OptionSet, Sendable {
        /// The epoll bits.
        public let rawValue: UInt32
        /// Makes readiness of epoll bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// It can be read, or it has ended.
        public static let readable = Readiness(rawValue: EPOLLIN.rawValue)
        /// It can be written.
        public static let writable = Readiness(rawValue: EPOLLOUT.rawValue)
        /// The peer has ended its side; the other may still be open.
        public static let halfClosed = Readiness(rawValue: EPOLLRDHUP.rawValue)
        /// The connection is gone.
        public static let hangUp = Readiness(rawValue: EPOLLHUP.rawValue)
        /// The connection has failed.
        public static let error = Readiness(rawValue: EPOLLERR.rawValue)
    }

    private struct Watch {
        /// Tells an event of this watch from a late one of an earlier watch of the same descriptor number.
        let serial: UInt32
        let handler: (Readiness) -> Void
    }

    /// Calls `handler` whenever the descriptor is ready for what is asked; edge-triggered only where told.
    /// Watching a watched descriptor changes what it waits for.
    public func watch(
        _ descriptor: Int32, for readiness: Readiness, edgeTriggered: Bool = false,
        _ handler: @escaping (Readiness) -> Void
    ) {
        preconditionIsCurrent()
        let bits = readiness.rawValue | (edgeTriggered ? EPOLLET.rawValue : 0)
        let operation = watches[descriptor] == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
        watchesMade &+= 1
        watches[descriptor] = Watch(serial: watchesMade, handler: handler)
        control(operation, descriptor, bits, watchesMade)
    }

    /// Stops watching. Call it before the descriptor is closed. No event of the watch is delivered afterwards, not even
    /// one that was already fetched, and not to a new watch of a descriptor with the same number.
    public func unwatch(_ descriptor: Int32) {
        preconditionIsCurrent()
        guard watches.removeValue(forKey: descriptor) != nil else { return }
        control(EPOLL_CTL_DEL, descriptor, 0, 0)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ bits: UInt32, _ serial: UInt32) {
        var event = epoll_event()
        event.events = bits
        event.data.u64 = UInt64(serial) << 32 | UInt64(UInt32(bitPattern: descriptor))
        epoll_ctl(epoll, operation, descriptor, &event)
    }

    // MARK: Turns

    private static func enter(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        pthread_setspecific(currentKey, context)
        let loop = Unmanaged<EventLoop>.fromOpaque(context).takeUnretainedValue()
        passgate_name_thread(loop.name)
        loop.turn()
        pthread_setspecific(currentKey, nil)
        Unmanaged<EventLoop>.fromOpaque(context).release()
        return nil
    }

    private func turn() {
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while !isStopped {
            drain()
            if isStopped { break }
            let wait = jobs.isEmpty ? timers.milliseconds(until: .now) : 0
            let count = epoll_wait(epoll, &events, Int32(events.count), wait)
            for index in 0..<max(Int(count), 0) {
                let event = events[index]
                let descriptor = Int32(truncatingIfNeeded: event.data.u64)
                if descriptor == wake {
                    takeRemoteJobs()
                } else if let watch = watches[descriptor], watch.serial == UInt32(event.data.u64 >> 32) {
                    watch.handler(Readiness(rawValue: event.events))
                }
            }
            for timer in timers.takeDue(at: .now) { timer.body.take()?() }
        }
    }

    private func takeRemoteJobs() {
        var value: UInt64 = 0
        _ = eventfd_read(wake, &value)
        remote.withLock { remote in
            jobs.append(contentsOf: remote.jobs)
            remote.jobs.removeAll(keepingCapacity: true)
            remote.isWoken = false
        }
    }

    /// Runs the jobs at hand, and those they start; so many rounds at most, so that tasks that keep each other busy do
    /// not keep sockets and timers waiting. A C library's callback may lead here; then the outer call goes on.
    private func drain() {
        if isDraining { return }
        isDraining = true
        defer { isDraining = false }
        var rounds = 0
        repeat {
            while !jobs.isEmpty && rounds < Self.roundsPerTurn {
                rounds += 1
                swap(&jobs, &spare)
                for job in spare {
                    job.runSynchronously(
                        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
                }
                spare.removeAll(keepingCapacity: true)
            }
            for body in afterTurn { body() }
        } while !jobs.isEmpty && rounds < Self.roundsPerTurn
    }

    private static let roundsPerTurn = 64
}

/// Where each thread keeps the loop that it is.
private let currentKey: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
}()
