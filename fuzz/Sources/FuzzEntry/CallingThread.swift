import Glibc
import Synchronization

/// Runs tasks on the thread that waits for them, so that a crash and what was covered belong to the input at hand.
final class CallingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs the operation to its end.
    func run(_ operation: @escaping @Sendable () async -> Void) {
        let end = End()
        Task(executorPreference: self) {
            await operation()
            end.isReached.store(true, ordering: .releasing)
        }
        while !end.isReached.load(ordering: .acquiring) {
            let ready = jobs.withLock { jobs in
                defer { jobs.removeAll(keepingCapacity: true) }
                return jobs
            }
            if ready.isEmpty { sched_yield() }
            for job in ready { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }

    private final class End: Sendable {
        let isReached = Atomic<Bool>(false)
    }
}
