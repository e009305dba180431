internal import Glibc

/// A file could not be read.
public struct FileFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// Why, in words that follow the file's name: `does not exist`.
    public let description: String

    /// Makes a failure of its words.
    public init(_ description: String) { self.description = description }
}

extension SecretBytes {
    /// Reads a whole file without leaving a copy behind. It blocks: not for an event loop.
    ///
    /// - Throws: ``FileFailure`` where it cannot be read, is a folder, or holds more than `limit` bytes.
    public init(contentsOfFile path: String, limit: Int) throws(FileFailure) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw FileFailure(Self.words(for: errno)) }
        defer { close(descriptor) }
        var builder = SecretBuilder(capacity: 4096)
        var piece = [UInt8](repeating: 0, count: 4096)
        defer { wipe(&piece) }
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFailure(Self.words(for: errno)) }
            if count == 0 { break }
            guard builder.count + count <= limit else { throw FileFailure("is larger than \(limit) bytes") }
            builder.append(piece.span.extracting(0..<count))
        }
        self = builder.finish()
    }

    private static func words(for code: Int32) -> String {
        switch code {
        case ENOENT, ENOTDIR: "does not exist"
        case EACCES, EPERM: "may not be read by this user"
        case EISDIR: "is a folder"
        default: "cannot be read: \(String(cString: strerror(code)))"
        }
    }
}
