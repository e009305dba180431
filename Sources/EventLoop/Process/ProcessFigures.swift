internal import Glibc

/// What the kernel says of this process.
public struct ProcessFigures: Sendable, Equatable {
    /// How many bytes of memory it has in use.
    public let residentBytes: Int
    /// How many files and sockets it has open.
    public let openFiles: Int

    /// The figures now; nil where the kernel does not tell. They come from `/proc`, which waits for no disk.
    public static var now: ProcessFigures? {
        guard let file = try? InputFile(path: "/proc/self/statm"), let bytes = try? file.read(atMost: 256),
            let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap({
                Int($0)
            }),
            let folder = opendir("/proc/self/fd")
        else { return nil }
        defer { closedir(folder) }
        var entries = 0
        while readdir(folder) != nil { entries += 1 }
        // Itself, its parent, and the folder that is being read.
        return ProcessFigures(residentBytes: pages * Int(sysconf(Int32(_SC_PAGESIZE))), openFiles: max(entries - 3, 0))
    }
}
