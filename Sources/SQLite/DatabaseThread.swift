internal import CLinux
internal import Glibc

/// Starts the threads that wait for the disk, so that no task ever does.
public enum DatabaseThread {
    /// Starts a thread that runs `body` and ends. The name is cut to 15 bytes.
    public static func start(name: String, _ body: sending @escaping () -> Void) {
        let context = Unmanaged.passRetained(Body(name: String(name.prefix(15)), body: body)).toOpaque()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
                passgate_name_thread(body.name)
                passgate_run_in_batches()
                body.run()
                return nil
            }, context)
        pthread_attr_destroy(&attributes)
        precondition(code == 0, "the kernel gave no thread")
    }

    private final class Body {
        let name: String
        let run: () -> Void

        init(name: String, body: @escaping () -> Void) {
            self.name = name
            run = body
        }
    }
}
