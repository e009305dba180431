import CAssets

/// A file that is part of the program, such as a style sheet: nothing is read from a disk, so the one binary is enough.
public struct Asset: Sendable, CustomStringConvertible {
    /// The file's bytes.
    public let bytes: [UInt8]

    init(_ file: passgate_asset) {
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

    /// The description of the API: OpenAPI 3.1.
    public static let apiDescription = Asset(passgate_asset_openapi_json())
    /// The style sheet of the reference.
    public static let referenceStyle = Asset(passgate_asset_reference_css())
    /// The reference's search.
    public static let referenceScript = Asset(passgate_asset_reference_js())
}
