import Foundation
import PassgateContract

/// The files that the server's tests are held to.
enum Contract {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Contracts")

    static func names(in path: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: path).path).sorted()) ?? []
    }

    static func data(_ path: String) throws -> Data { try Data(contentsOf: folder.appending(path: path)) }

    static func json(_ path: String) throws -> JSONValue { try JSONDecoder().decode(JSONValue.self, from: data(path)) }
}

extension JSONValue {
    /// The same without what is null: a member that is null means what one that is absent means.
    var withoutNulls: JSONValue {
        switch self {
        case .object(let members): .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
        case .array(let elements): .array(elements.map(\.withoutNulls))
        default: self
        }
    }
}
