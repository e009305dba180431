import FoundationEssentials

/// The inputs that a target's folder in `fuzz/corpora` holds.
public struct Corpus: Sendable {
    /// A file's name and what is in it.
    public let files: [(name: String, bytes: [UInt8])]

    /// Reads the folder.
    public init(of target: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "fuzz/corpora/\(target)")
        files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map { name in
            (name, Array(try Data(contentsOf: folder.appending(path: name))))
        }
    }
}
