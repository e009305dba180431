import Foundation

/// Files of this provider's folder.
enum TestFiles {
    static func text(_ path: String, beside file: String = #filePath) throws -> String {
        let folder = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }
}
