public import SecretMemory
internal import Synchronization

/// Reads one mapping of the configuration, and collects every problem found in it.
///
/// A key that is never read is unknown, and is reported by ``reportUnknownKeys()``.
public final class ConnectionSettings: Sendable {
    /// Whether a connection's credentials are for real cards.
    public enum Environment: String, Sendable, CaseIterable {
        /// Real cards.
        case live
        /// A sandbox.
        case test
    }

    /// The connection's name, such as `increase_main`.
    public let connection: String
    /// Where the mapping stands, such as `connections.increase_main`.
    public let keyPath: String
    /// Whether the credentials are for real cards.
    public let environment: Environment
    /// The hosts that may be reached by plain `http` under `test`, as `host` or `host:port`.
    public let allowedHTTPHosts: Set<String>
    private let values: [(key: String, value: SettingValue)]
    private let read: Mutex<Set<String>>
    private let sections: Mutex<[ConnectionSettings]> = Mutex([])
    private let report: @Sendable (ConfigurationProblem) -> Void
    private let readFile: @Sendable (String) throws(FileUnreadable) -> SecretText

    /// Reads `values`; problems go to `report` as they are found. `known` names keys that somebody else reads,
    /// `allowedHTTPHosts` is the connection's `allow_http_hosts`, and `readFile` gives the contents of a file named in the
    /// configuration.
    public init(
        connection: String, keyPath: String, environment: Environment, values: [(key: String, value: SettingValue)],
        known: Set<String> = [], allowedHTTPHosts: Set<String> = [],
        readFile: @escaping @Sendable (String) throws(FileUnreadable) -> SecretText = { _ throws(FileUnreadable) in
            throw FileUnreadable("cannot be read here")
        },
        report: @escaping @Sendable (ConfigurationProblem) -> Void
    ) {
        self.connection = connection
        self.keyPath = keyPath
        self.environment = environment
        self.allowedHTTPHosts = allowedHTTPHosts
        self.values = values
        self.read = Mutex(known)
        self.readFile = readFile
        self.report = report
    }

    /// Reports that the value of `key` cannot be used.
    public func problem(_ key: String, _ message: String) {
        report(ConfigurationProblem(.problem, at: path(key), message))
    }

    /// Reports that the value of `key` can be used, but should be looked at.
    public func warning(_ key: String, _ message: String) {
        report(ConfigurationProblem(.warning, at: path(key), message))
    }

    /// A secret. Missing or empty is a problem when required.
    public func secret(_ key: String, required: Bool = true) -> SecretText? {
        guard let value = value(key) else {
            if required { problem(key, "is missing") }
            return nil
        }
        switch value {
        case .unresolved: return nil
        case .text(let text):
            if !isBlank(text) { return text }
            problem(key, "is empty")
            return nil
        default:
            problem(key, "must be a text")
            return nil
        }
    }

    /// A text that is no secret.
    public func text(_ key: String, required: Bool = true) -> String? { secret(key, required: required)?.reveal() }

    /// A text that is one of `allowed`.
    public func choice(_ key: String, of allowed: [String], default fallback: String) -> String {
        guard let text = text(key, required: false) else { return fallback }
        if !allowed.contains(text) { problem(key, "must be one of \(allowed.joined(separator: ", "))") }
        return allowed.contains(text) ? text : fallback
    }

    /// A whole number within bounds.
    public func integer(_ key: String, in bounds: ClosedRange<Int>, default fallback: Int) -> Int {
        guard let text = text(key, required: false) else { return fallback }
        guard let number = Int(text), bounds.contains(number) else {
            problem(key, "must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
            return fallback
        }
        return number
    }

    /// `true` or `false`.
    public func flag(_ key: String, default fallback: Bool) -> Bool {
        choice(key, of: ["true", "false"], default: fallback ? "true" : "false") == "true"
    }

    /// The contents of the file whose path is the value: PEM text, say.
    public func file(_ key: String) -> SecretText? {
        guard let path = text(key) else { return nil }
        do throws(FileUnreadable) {
            return try readFile(path)
        } catch {
            problem(key, error.description)
            return nil
        }
    }

    /// A list of secrets; missing is empty. An empty entry is a problem.
    public func secrets(_ key: String) -> [SecretText] { entries(key).map(\.text) }

    /// A list of texts, each with the key that a problem with it is reported under: `scopes[1]`. Missing is empty; an
    /// empty entry is a problem.
    public func entries(_ key: String) -> [(key: String, text: SecretText)] {
        guard let value = value(key) else { return [] }
        guard case .list(let items) = value else {
            if case .unresolved = value {} else { problem(key, "must be a list") }
            return []
        }
        return items.enumerated().compactMap { index, item in
            let key = "\(key)[\(index)]"
            switch item {
            case .unresolved: return nil
            case .text(let text) where !isBlank(text): return (key, text)
            case .text, .empty: problem(key, "is empty")
            case .list, .mapping: problem(key, "must be a text")
            }
            return nil
        }
    }

    /// Whether a value stands under the key, usable or not.
    public func has(_ key: String) -> Bool { value(key) != nil }

    /// The settings below `key`; nil where there are none.
    public func section(_ key: String) -> ConnectionSettings? {
        guard let value = value(key) else { return nil }
        guard case .mapping(let members) = value else {
            if case .unresolved = value {} else { problem(key, "must be a mapping") }
            return nil
        }
        return nested(path(key), members)
    }

    /// The settings of each mapping in the list below `key`.
    public func list(_ key: String) -> [ConnectionSettings] {
        guard let value = value(key) else { return [] }
        guard case .list(let items) = value else {
            if case .unresolved = value {} else { problem(key, "must be a list") }
            return []
        }
        return items.enumerated().compactMap { index, item in
            guard case .mapping(let members) = item else {
                if case .unresolved = item { return nil }
                problem("\(key)[\(index)]", "must be a mapping")
                return nil
            }
            return nested("\(path(key))[\(index)]", members)
        }
    }

    /// Reports every key that nobody has read, here and below.
    public func reportUnknownKeys() {
        let known = read.withLock { $0 }
        for (key, _) in values where !known.contains(key) {
            let nearest = NearestName.of(key, among: known).map { "; did you mean \($0)?" } ?? ""
            problem(key, "is not a known key\(nearest)")
        }
        for section in sections.withLock({ $0 }) { section.reportUnknownKeys() }
    }

    private func isBlank(_ text: SecretText) -> Bool {
        text.bytes.withSpan { span in
            for index in 0..<span.count where span[index] > 0x20 { return false }
            return true
        }
    }

    private func path(_ key: String) -> String { keyPath.isEmpty ? key : "\(keyPath).\(key)" }

    private func value(_ key: String) -> SettingValue? {
        read.withLock { _ = $0.insert(key) }
        guard let value = values.first(where: { $0.key == key })?.value else { return nil }
        if case .empty = value { return nil }
        return value
    }

    private func nested(_ keyPath: String, _ members: [(key: String, value: SettingValue)]) -> ConnectionSettings {
        let section = ConnectionSettings(
            connection: connection, keyPath: keyPath, environment: environment, values: members,
            allowedHTTPHosts: allowedHTTPHosts, readFile: readFile, report: report)
        sections.withLock { $0.append(section) }
        return section
    }
}
