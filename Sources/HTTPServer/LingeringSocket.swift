import CLinux
import EventLoop
import Glibc

/// A socket that has been answered and shut for writing, while its client may still be sending: closed at once, the
/// kernel would reset it, and the client could lose the answer. What comes is read and dropped, up to a bound.
final class LingeringSocket {
    private static let byteLimit = 1 << 20
    static let timeLimit = Duration.seconds(2)

    private let descriptor: Int32
    private let loop: EventLoop
    private let scratch: UnsafeMutableRawBufferPointer
    private var dropped = 0
    private var onEnd: (() -> Void)?
    private var timer: EventLoop.Timer?

    /// Takes the socket over. `onEnd` is called once, when it has been closed.
    init(
        _ descriptor: Int32, on loop: EventLoop, scratch: UnsafeMutableRawBufferPointer, onEnd: @escaping () -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.scratch = scratch
        self.onEnd = onEnd
        shutdown(descriptor, Int32(SHUT_WR))
        timer = loop.schedule(after: Self.timeLimit) { self.end() }
        loop.watch(descriptor, for: [.readable, .halfClosed]) { _ in self.drop() }
    }

    /// Closes it now.
    func end() {
        guard let onEnd = onEnd.take() else { return }
        timer?.cancel()
        loop.unwatch(descriptor)
        close(descriptor)
        onEnd()
    }

    private func drop() {
        let count = recv(descriptor, scratch.baseAddress, scratch.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            if let base = scratch.baseAddress { explicit_bzero(base, count) }
            dropped += count
            if dropped > Self.byteLimit { end() }
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            end()
        }
    }
}
