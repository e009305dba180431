public import ProviderKit
import SecretMemory
import Synchronization

/// A connection's settings for tests, and the problems found in them.
public final class TestSettings: Sendable {
    private let found: Mutex<[ConfigurationProblem]> = Mutex([])
    private let values: [(key: String, value: SettingValue)]
    private let environment: ConnectionSettings.Environment
    private let allowedHTTPHosts: Set<String>
    private let files: [String: String]

    /// Settings of a connection `main`, which may name the files.
    public init(
        _ values: [(key: String, value: SettingValue)], environment: ConnectionSettings.Environment = .live,
        allowedHTTPHosts: Set<String> = [], files: [String: String] = [:]
    ) {
        self.values = values
        self.environment = environment
        self.allowedHTTPHosts = allowedHTTPHosts
        self.files = files
    }

    /// A reader of the settings.
    public func reader() -> ConnectionSettings {
        ConnectionSettings(
            connection: "main", keyPath: "connections.main", environment: environment, values: values,
            known: ["provider", "environment"], allowedHTTPHosts: allowedHTTPHosts,
            readFile: { [files] path throws(FileUnreadable) in
                guard let contents = files[path] else { throw FileUnreadable("\(path) does not exist") }
                return SecretText(contents)
            },
            report: { [self] problem in found.withLock { $0.append(problem) } })
    }

    /// What has been found so far, a line each.
    public var problems: [String] { found.withLock { $0.map(\.description) } }
}

extension SettingValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// A text.
    public init(stringLiteral text: String) { self = .text(SecretText(text)) }

    /// A list.
    public init(arrayLiteral elements: SettingValue...) { self = .list(elements) }
}
