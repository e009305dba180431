import CAssets

/// A file that is part of the program, such as a style sheet: nothing is read from a disk, so the one binary is enough.
public struct Asset: Sendable, CustomStringConvertible {
    /// The file's bytes.
    public let bytes: [UInt8]

    private init(_ file: passgate_asset) {
        bytes = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
    }

    /// How large it is.
    public var description: String { "a file of \(bytes.count) bytes" }

    /// The file as UTF-8 text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension Asset {
    /// The style sheet of the error pages.
    public static let problemStyle = Asset(passgate_asset_problem_css())
}
