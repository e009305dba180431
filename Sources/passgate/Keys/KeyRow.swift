import Facade
import ProviderKit
import Provisioning
import Storage

/// A key as it is listed, wherever it is kept.
struct KeyRow: Sendable, Equatable {
    let name: String
    /// Nil of a key of the configuration.
    let id: String?
    let scopes: [String]
    /// Nil for all.
    let programs: [String]?
    /// When it was made and revoked, where the store knows it.
    let createdAt: String?
    let revokedAt: String?

    /// A key of the store.
    init(_ key: StoredAPIKey) {
        name = key.name
        id = key.id
        scopes = key.scopes
        programs = key.programs
        createdAt = key.createdAt.rfc3339
        revokedAt = key.revokedAt?.rfc3339
    }

    /// A key of the configuration.
    init(_ key: APIKey) {
        name = key.name
        id = nil
        scopes = Scope.allCases.filter(key.scopes.contains).map(\.rawValue)
        programs = key.programs?.sorted()
        createdAt = nil
        revokedAt = nil
    }

    /// The cells of a table.
    var cells: [String] {
        let state = revokedAt.map { "revoked \($0)" } ?? createdAt.map { "since \($0)" } ?? "in the configuration"
        return [
            name, id ?? "-", scopes.joined(separator: ","), programs?.joined(separator: ",") ?? "all programs", state,
        ]
    }
}

extension JSONWriter {
    /// Writes the members of a key, but for the key itself.
    mutating func apiKeyMembers(_ key: KeyRow) {
        member("name", key.name)
        member("id", key.id)
        member("kept_in", key.id == nil ? "configuration" : "store")
        member("scopes", array: { json in for scope in key.scopes { json.value(scope) } })
        if let programs = key.programs {
            member("programs", array: { json in for program in programs { json.value(program) } })
        } else {
            member("programs", nil as String?)
        }
        member("created_at", key.createdAt)
        member("revoked_at", key.revokedAt)
    }
}
