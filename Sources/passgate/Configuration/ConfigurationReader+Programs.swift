import ConfigurationFile
import Gateway
import ProviderKit
import Provisioning
import SecretMemory

extension ConfigurationReader {
    /// Every program of the file, by name.
    func readPrograms(_ connections: [String: ReadConnection]) -> [String: Program] {
        requireMembers(of: "programs", "card program")
        var programs: [String: Program] = [:]
        for (name, value) in members(of: "programs") ?? [] {
            let keyPath = "programs.\(name)"
            checkName(name, at: keyPath)
            guard case .mapping(let values) = value else {
                if case .unresolved = value { continue }
                problems.problem(at: keyPath, "must be a mapping with connection, wallets and the like")
                continue
            }
            programs[name] = readProgram(name, settings(values, at: keyPath), connections)
        }
        return programs
    }

    private func readProgram(_ name: String, _ section: ConnectionSettings, _ connections: [String: ReadConnection])
        -> Program?
    {
        let connection = section.text("connection")
        let listed = section.entries("connections").map { (key: $0.key, name: $0.text.reveal()) }
        let isListed = section.has("connections")
        for (key, name) in (connection.map { [("connection", $0)] } ?? []) + listed.map({ ($0.key, $0.name) }) {
            checkExists(name, key, section)
        }
        for (index, entry) in listed.enumerated() where listed[..<index].contains(where: { $0.name == entry.name }) {
            section.problem(entry.key, "is listed twice")
        }
        let names = isListed ? listed.map(\.name) : connection.map { [$0] } ?? []
        if let connection, isListed, !names.contains(connection) {
            section.problem("connections", "must list the program's own connection \(connection) too")
        }
        checkEnvironments(names, section, connections)
        let program = Program(
            name: name, connection: connection ?? "", connections: names,
            displayName: section.text("display_name", required: false) ?? name, wallets: readWallets(section),
            requiresCardholder: section.flag("require_cardholder", default: true),
            maxAuthenticationAge: section.integer("max_authentication_age", in: 1...31_536_000, default: 300))
        section.reportUnknownKeys()
        return connection == nil ? nil : program
    }

    private func checkExists(_ name: String, _ key: String, _ section: ConnectionSettings) {
        let known = names(of: "connections")
        guard !known.contains(name) else { return }
        let nearest = NearestName.of(name, among: known).map { "; did you mean \($0)?" } ?? ""
        section.problem(key, "there is no connection of that name\(nearest)")
    }

    private func checkEnvironments(
        _ names: [String], _ section: ConnectionSettings, _ connections: [String: ReadConnection]
    ) {
        let known = names.compactMap { name in connections[name]?.environment.map { (name, $0) } }
        guard let live = known.first(where: { $0.1 == .live }), let test = known.first(where: { $0.1 == .test }) else {
            return
        }
        let key = section.has("connections") ? "connections" : "connection"
        section.problem(key, "mixes live (\(live.0)) and test (\(test.0)) connections in one program")
    }

    private func readWallets(_ section: ConnectionSettings) -> [Wallet] {
        guard section.has("wallets") else { return [.applePay, .googlePay] }
        var wallets: [Wallet] = []
        for (key, text) in section.entries("wallets") {
            guard let wallet = Wallet(rawValue: text.reveal()) else {
                section.problem(key, "must be apple_pay or google_pay")
                continue
            }
            if wallet == .samsungPay {
                section.warning(key, "samsung_pay is a token's wallet only; nothing is provisioned to it")
            }
            if !wallets.contains(wallet) { wallets.append(wallet) }
        }
        return wallets
    }
}
