internal import CLinux
internal import Glibc

/// The output of a command: for its result, or for what it says on the way.
public enum StandardStream: Int32, Sendable {
    /// For results.
    case output = 1
    /// For messages.
    case error = 2

    /// Whether a person is likely to read it.
    public var isTerminal: Bool { isatty(rawValue) == 1 }

    /// Writes the whole text. It blocks while the reader is slow: not for an event loop. False where nobody reads.
    @discardableResult
    public func write(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = Glibc.write(rawValue, base, rest.count)
            if count < 0 {
                guard errno == EINTR || errno == EAGAIN else { return false }
                if errno == EAGAIN { waitUntilWritable() }
                continue
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return true
    }

    private func waitUntilWritable() {
        var descriptor = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
        poll(&descriptor, 1, 1000)
    }
}
