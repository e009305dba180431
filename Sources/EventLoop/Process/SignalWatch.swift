internal import CLinux
internal import Glibc

/// Takes the signals that an operator sends, on a loop, as plain events.
///
/// Call ``block()`` first in the program, before any thread is started: a signal that one thread does not block would
/// still end the process.
public enum SignalWatch: Sendable {
    /// A signal that an operator sends.
    public enum Signal: Sendable, Equatable {
        /// End in good order: SIGTERM, or Ctrl-C.
        case terminate
        /// Read the configuration again: SIGHUP.
        case reload
    }

    /// Keeps the signals from ending the process, in this thread and those it starts. Writing to a pipe that nobody
    /// reads becomes an error in place of a signal.
    public static func block() {
        var set = signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Calls `handler` on the loop for each signal, for as long as the loop runs. On the loop only.
    public static func watch(on loop: EventLoop, _ handler: @escaping @Sendable (Signal) -> Void) {
        loop.preconditionIsCurrent()
        var set = signalSet
        let descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        precondition(descriptor >= 0, "the kernel has no descriptors left")
        loop.watch(descriptor, for: .readable) { _ in
            var info = signalfd_siginfo()
            while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 {
                handler(info.ssi_signo == UInt32(SIGHUP) ? .reload : .terminate)
            }
        }
    }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&set, number) }
        return set
    }
}
