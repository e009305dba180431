import ConfigurationFile
import HTTPClient
import ProviderKit
import Provisioning
import Sandbox
import SecretMemory

/// A connection of a configuration, pointed at a real processor's sandbox.
struct ConnectionUnderTest: Sendable {
    /// Why it cannot be used. It quotes no secret.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Its name.
    let name: String
    private let path: String
    private let source: ConfigurationSource
    private let values: [(key: String, value: SettingValue)]

    /// Finds the connection: the one that is named, or the provider's only one.
    ///
    /// - Throws: A sentence, where there is none, or it is for real cards.
    init(_ options: ConformanceOptions, emulator: any Emulator, baseURL: String) throws(Refusal) {
        let provider = emulator.provider
        path = options.configuration
        source = ConfigurationSource(path: path) { SecretText(environmentVariable: $0) }
        let all = Self.members(of: source.values, "connections")
        let own = all.filter { Self.text(of: Self.members(of: $0.value), "provider") == provider }
        let chosen = options.connection.map { name in own.filter { $0.key == name } } ?? own
        guard let connection = chosen.first, chosen.count == 1 else {
            let broken = source.problems.located(by: source.lines).filter { $0.problem.keyPath.isEmpty }
            if !broken.isEmpty { throw Self.refusal(path, broken) }
            let known = own.map(\.key).joined(separator: ", ")
            throw Refusal(
                description: chosen.isEmpty
                    ? "\(path) has no connection to \(provider)\(options.connection.map { " called \($0)" } ?? "")"
                    : "name one of \(path)'s connections to \(provider) with --connection: \(known)")
        }
        name = connection.key
        let members = Self.members(of: connection.value)
        guard Self.text(of: members, "environment") == "test" else {
            throw Refusal(
                description: "connections.\(name).environment must be test: this sends requests that no real card "
                    + "should get")
        }
        guard let values = emulator.settings(members, at: baseURL) else {
            throw Refusal(description: "connections.\(name) names no address that --against could replace")
        }
        self.values = values
    }

    /// How its requests travel.
    ///
    /// - Throws: What is wrong with the settings.
    func transportOptions() throws(Refusal) -> TransportOptions {
        let problems = ProblemList()
        let options = TransportReader(settings: settings(values, problems), now: SandboxClock().now).read(.test)
        try refuse(problems)
        return options
    }

    /// The adapter, some settings replaced.
    ///
    /// - Throws: What is wrong with the settings.
    func provider<Provider: ConfigurableProvider>(
        replacing others: [(key: String, value: String)] = [], kit: AdapterKit
    ) throws(Refusal) -> Provider {
        let problems = ProblemList()
        let names = Set(others.map(\.key))
        let replaced = others.flatMap { Self.settings($0.key, $0.value) }
        let settings = settings(values.filter { !names.contains($0.key) } + replaced, problems)
        let provider = Provider(settings: settings, kit: kit)
        settings.reportUnknownKeys()
        try refuse(problems)
        guard let provider else { throw Refusal(description: "connections.\(name) cannot be used") }
        return provider
    }

    private func settings(_ values: [(key: String, value: SettingValue)], _ problems: ProblemList)
        -> ConnectionSettings
    {
        ConnectionSettings(
            connection: name, keyPath: "connections.\(name)", environment: .test, values: values,
            known: TransportReader.commonKeys,
            readFile: { [resolver = source.resolver] path throws(FileUnreadable) in
                do throws(FileFailure) {
                    return try resolver.contents(of: path)
                } catch {
                    throw FileUnreadable(error.description)
                }
            }, report: { problems.add($0) })
    }

    /// Refuses where the connection has a problem, in the file or in what was made of it.
    private func refuse(_ problems: ProblemList) throws(Refusal) {
        let known = source.problems.located(by: source.lines).filter {
            $0.problem.keyPath.hasPrefix("connections.\(name).")
        }
        let found = (known + problems.located(by: source.lines)).filter { $0.problem.severity == .problem }
        if !found.isEmpty { throw Self.refusal(path, found) }
    }

    private static func refusal(_ path: String, _ problems: [LocatedProblem]) -> Refusal {
        Refusal(
            description: "the connection cannot be used:\n"
                + ProblemReport(path: path, problems: problems).lines.joined(separator: "\n"))
    }

    private static func members(of values: [(key: String, value: SettingValue)], _ key: String) -> [(
        key: String, value: SettingValue
    )] {
        values.first { $0.key == key }.map { members(of: $0.value) } ?? []
    }

    private static func members(of value: SettingValue) -> [(key: String, value: SettingValue)] {
        if case .mapping(let members) = value { members } else { [] }
    }

    private static func text(of values: [(key: String, value: SettingValue)], _ key: String) -> String? {
        if case .text(let text)? = values.first(where: { $0.key == key })?.value { text.reveal() } else { nil }
    }

    /// A setting that is written as YAML.
    private static func settings(_ key: String, _ value: String) -> [(key: String, value: SettingValue)] {
        ConfigurationSource(text: "\(key): \(value)\n", folder: "") { _ in nil }.values
    }
}
