import Catalogue
import ConfigurationFile
import Crypto
import Gateway
import HTTPClient
import ProviderKit
import Provisioning
import SecretMemory
import Storage

/// Makes a configuration of its source, and reports everything that is wrong at once.
struct ConfigurationReader {
    /// What to read.
    let source: ConfigurationSource
    /// The providers that connections may name.
    let providers: [any ConfigurableProvider.Type]
    /// Makes what the adapter of the connection of that name, with these options, is given.
    let makeKit: (String, TransportOptions) -> AdapterKit

    let problems: ProblemList

    init(
        source: ConfigurationSource, providers: [any ConfigurableProvider.Type] = ProviderCatalogue.all,
        makeKit: @escaping (String, TransportOptions) -> AdapterKit
    ) {
        self.source = source
        self.providers = providers
        self.makeKit = makeKit
        problems = source.problems
    }

    /// On how many threads a source wants to be served; nil where it leaves that to the machine, or says nothing usable.
    static func workers(in source: ConfigurationSource) -> Int? {
        guard case .mapping(let server)? = source.values.first(where: { $0.key == "server" })?.value,
            case .text(let text)? = server.first(where: { $0.key == "workers" })?.value
        else { return nil }
        return Int(text.reveal()).flatMap { Configuration.Server.workerBounds.contains($0) ? $0 : nil }
    }

    /// Where a source says that the facade listens; nil where it cannot be read, or says nothing usable.
    static func listen(in source: ConfigurationSource) -> ListenAddress? {
        guard !source.values.isEmpty else { return nil }
        guard case .mapping(let server)? = source.values.first(where: { $0.key == "server" })?.value,
            let listen = server.first(where: { $0.key == "listen" })?.value
        else { return .facade }
        guard case .text(let text) = listen else { return nil }
        return ListenAddress(text.reveal())
    }

    /// The configuration, unless a problem forbids it, and whatever was found.
    func read() -> (configuration: Configuration?, problems: [LocatedProblem]) {
        let configuration = source.values.isEmpty ? nil : readAll()
        let found = problems.located(by: source.lines)
        let isValid = !found.contains { $0.problem.severity == .problem }
        return (isValid ? configuration : nil, found)
    }

    /// A reader of one mapping, which need not belong to a connection.
    func settings(
        _ values: [(key: String, value: SettingValue)], at keyPath: String = "", connection: String = "",
        environment: ConnectionSettings.Environment = .live, known: Set<String> = [],
        allowedHTTPHosts: Set<String> = []
    ) -> ConnectionSettings {
        ConnectionSettings(
            connection: connection, keyPath: keyPath, environment: environment, values: values, known: known,
            allowedHTTPHosts: allowedHTTPHosts,
            readFile: { [resolver = source.resolver] path throws(FileUnreadable) in
                do throws(FileFailure) {
                    return try resolver.contents(of: path)
                } catch {
                    throw FileUnreadable(error.description)
                }
            },
            report: { [problems] in problems.add($0) })
    }

    private func readAll() -> Configuration? {
        let top = settings(source.values, known: ["connections", "programs"])
        let publicURL = readPublicURL(top)
        let server = readServer(top)
        let admin = readAdmin(top, server)
        let store = readStore(top)
        let rootSecrets = readRootSecrets(top)
        let limits = readLimits(top)
        let connections = readConnections(limits: limits)
        let programs = readPrograms(connections)
        let configuration = Configuration(
            publicURL: publicURL, server: server, admin: admin, store: store, rootSecrets: rootSecrets,
            connections: connections.compactMapValues(\.connection), programs: programs,
            apiKeys: readAPIKeys(top, programs: names(of: "programs"), cryptography: OpenSSLCryptography()),
            provisioningDeadline: readDeadline(top), limits: limits, retention: readRetention(top),
            allowsPrivateDestinations: readDestinations(top))
        top.reportUnknownKeys()
        return configuration
    }

    /// The members of a mapping at the top, or nil where it is missing or no mapping.
    func members(of key: String) -> [(key: String, value: SettingValue)]? {
        guard case .mapping(let members)? = source.values.first(where: { $0.key == key })?.value else { return nil }
        return members
    }

    /// The names that stand below a key at the top, valid or not.
    func names(of key: String) -> Set<String> { Set((members(of: key) ?? []).map(\.key)) }

    /// Reports a mapping at the top that is missing, empty or something else.
    func requireMembers(of key: String, _ what: String) {
        guard let value = source.values.first(where: { $0.key == key })?.value else {
            return problems.problem(at: key, "is missing: name at least one \(what)")
        }
        switch value {
        case .unresolved: break
        case .mapping(let members) where !members.isEmpty: break
        case .mapping, .empty: problems.problem(at: key, "is empty: name at least one \(what)")
        case .text, .list: problems.problem(at: key, "must be a mapping from names to settings")
        }
    }

    /// Whether a name of a connection, program or key can be used in paths and labels.
    func checkName(_ name: String, at keyPath: String) {
        if !Self.isName(name) { problems.problem(at: keyPath, "a name has 1 to 64 letters, digits, - and _") }
    }

    /// Whether it is 1 to 64 letters, digits, - and _.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x5f: true
                default: false
                }
            }
    }
}
