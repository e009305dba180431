import Foundation
import Sandbox
import Testing

/// The built `passgate`, started through a script that preloads a library of the tests. It has a folder of its own.
final class PreloadedCommand: Sendable {
    /// Starts the gateway as the command itself would.
    let url: URL
    /// The folder of the script.
    let folder: URL
    /// What the library is told of, a file of the folder.
    let file: URL

    /// - Parameters:
    ///   - library: The library's name in the manifest.
    ///   - variable: The environment's variable that names the file to it.
    ///   - name: The file's name. It is not there yet.
    init(library: String, variable: String, file name: String) throws {
        let passgate = try House.command("passgate")
        let built = passgate.deletingLastPathComponent().appending(path: "lib\(library).so")
        try #require(FileManager.default.fileExists(atPath: built.path), "the library \(library) is not built")
        folder = try LaboratoryGateway.makeFolder()
        file = folder.appending(path: name)
        url = folder.appending(path: "passgate")
        let script = """
            #!/bin/sh
            LD_PRELOAD='\(built.path)' \(variable)='\(file.path)' exec '\(passgate.path)' "$@"

            """
        try Data(script.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: url.path)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
