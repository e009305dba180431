internal import CLinux
internal import Glibc

/// Takes the signals that an operator sends, on a loop, as plain events.
///
/// Call ``block()`` at the start of the program, and ``watch(on:_:)`` as soon as a loop runs: what comes in between is
/// not lost.
public enum SignalWatch: Sendable {
    /// A signal that an operator sends.
    public enum Signal: Sendable, Equatable {
        /// End in good order: SIGTERM, or Ctrl-C.
        case terminate
        /// Read the configuration again: SIGHUP.
        case reload
    }

    /// Keeps the signals from ending the process. Writing to a pipe that nobody reads becomes an error in place of a
    /// signal.
    public static func block() {
        precondition(passgate_take_signals() >= 0, "the kernel has no descriptors left")
    }

    /// Calls `handler` on the loop for each signal, for as long as the loop runs. On the loop only, and once in a
    /// process.
    public static func watch(on loop: EventLoop, _ handler: @escaping @Sendable (Signal) -> Void) {
        loop.preconditionIsCurrent()
        let descriptor = passgate_take_signals()
        precondition(descriptor >= 0, "the kernel has no descriptors left")
        loop.watch(descriptor, for: .readable) { _ in
            var number: UInt8 = 0
            while read(descriptor, &number, 1) == 1 { handler(number == UInt8(SIGHUP) ? .reload : .terminate) }
        }
    }
}
