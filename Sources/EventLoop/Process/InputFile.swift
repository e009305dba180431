internal import Glibc

/// A file, or the standard input, that a command reads piece by piece.
public final class InputFile: Sendable {
    /// Why a file cannot be read.
    public enum Failure: Error, Sendable {
        /// There is none of that name.
        case missing
        /// It is a folder, or reading is refused or breaks off.
        case unreadable
    }

    /// How many bytes it has; nil where that is not known beforehand.
    public let size: Int?
    private let descriptor: Int32
    private let isOwned: Bool

    /// Opens the file; `-` is the standard input.
    ///
    /// - Throws: ``Failure`` where it cannot be read.
    public init(path: String) throws(Failure) {
        isOwned = path != "-"
        descriptor = isOwned ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO
        if descriptor < 0 { throw errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let kind = status.st_mode & S_IFMT
        if !isKnown || kind == S_IFDIR {
            if isOwned { close(descriptor) }
            throw .unreadable
        }
        size = kind == S_IFREG ? Int(status.st_size) : nil
    }

    deinit { if isOwned { close(descriptor) } }

    /// The next bytes, at most so many; none at the end. It waits for the disk, or for who writes: not for a loop that
    /// serves anything else.
    ///
    /// - Throws: `unreadable`.
    public func read(atMost limit: Int) throws(Failure) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, used in
            repeat { count = Glibc.read(descriptor, buffer.baseAddress, limit) } while count < 0 && errno == EINTR
            used = max(count, 0)
        }
        if count < 0 { throw .unreadable }
        return bytes
    }
}
