public import Foundation
public import SecretMemory

/// A gateway's configuration for a run in the laboratory: loopback only, one program, one key, every secret invented.
public struct LaboratoryConfiguration: Sendable {
    /// The program's name.
    public static let program = "demo"

    /// Where the facade listens.
    public var port: UInt16
    /// Where metrics are.
    public var adminPort: UInt16
    /// The connections by name.
    public var connections: [(name: String, connection: EmulatedConnection)]
    /// The platform's key.
    public var apiKey: SecretText
    /// The gateway's root secret, base64.
    public var rootSecret: SecretText
    /// The root secrets that were before it, base64.
    public var formerRootSecrets: [SecretText] = []
    /// Lines of YAML that follow the others.
    public var additions = ""
    /// The folder of the store, where another gateway has it already; nil for the configuration's own.
    public var storeFolder: URL?
    /// The URL of a database that is the store; nil for a file in the store's folder.
    public var storeURL: SecretText?

    /// A configuration with fresh secrets.
    public init(port: UInt16, adminPort: UInt16, connections: [(name: String, connection: EmulatedConnection)]) {
        self.port = port
        self.adminPort = adminPort
        self.connections = connections
        apiKey = SecretText("pgk_" + Base64.encode(Self.random(32), alphabet: .urlSafe, padded: false))
        rootSecret = SecretText(Base64.encode(Self.random(32)))
    }

    /// The name of an emulator's connection.
    public static func connectionName(of emulator: any Emulator) -> String { "\(emulator.name)_demo" }

    /// Where the facade answers.
    public var url: String { "http://127.0.0.1:\(port)" }

    /// Writes `passgate.yaml`, and the files that connections name, into the folder.
    ///
    /// - Returns: The configuration's path.
    /// - Throws: Foundation's error where a file cannot be written.
    @discardableResult
    public func write(to folder: URL) throws -> URL {
        for (name, contents) in connections.flatMap(\.connection.files) {
            try Data(contents.utf8).write(to: folder.appending(path: name))
        }
        let file = folder.appending(path: "passgate.yaml")
        try Data(yaml(storeIn: storeFolder ?? folder).utf8).write(to: file)
        return file
    }

    private func yaml(storeIn folder: URL) -> String {
        let names = connections.map(\.name)
        let rootSecrets = ([rootSecret] + formerRootSecrets).map { "\"\($0.reveal())\"" }.joined(separator: ", ")
        var lines = [
            "public_url: \"\(url)\"",
            "server: { listen: \"127.0.0.1:\(port)\", workers: 1 }",
            "admin: { listen: \"127.0.0.1:\(adminPort)\" }",
            "store: \"\(storeURL?.reveal() ?? "sqlite:\(folder.appending(path: "passgate.db").path)")\"",
            "root_secrets: [\(rootSecrets)]",
            "connections:",
        ]
        for (name, connection) in connections {
            lines.append("  \(name):")
            lines += connection.settings.map { "    \($0.key): \($0.value)" }
        }
        lines += [
            "programs:",
            "  \(Self.program):",
            "    connection: \(names.first ?? "")",
            "    connections: [\(names.joined(separator: ", "))]",
            "    display_name: \"Laboratory Card\"",
            "    wallets: [apple_pay, google_pay]",
            "    require_cardholder: true",
            "    max_authentication_age: 300",
            "api_keys:",
            "  - name: laboratory",
            "    key: \"\(apiKey.reveal())\"",
            "    scopes: [\"cards:read\", \"cards:write\", \"provisioning:read\", \"provisioning:write\",",
            "      \"tokens:read\", \"tokens:write\", \"events:read\", \"events:write\", \"switching:write\"]",
            "    programs: [\(Self.program)]",
        ]
        return (lines + [additions]).joined(separator: "\n") + "\n"
    }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
