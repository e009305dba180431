import Catalogue
import ConfigurationFile
import Crypto
import ProviderKit
import ProviderTesting
import SecretMemory
import YAML

/// A configuration file: the text, and each of its connections before every adapter that reads settings.
struct ConfigurationCheck: Sendable {
    private let kit = AdapterKit.testing(OneReply(), cryptography: OpenSSLCryptography())

    func check(_ input: [UInt8]) async throws(BrokenPromise) {
        let document = YAMLDocument(SecretBytes(input))
        if let root = document.root, document.problems.isEmpty {
            let written = YAMLWriter.text(of: root)
            let again = YAMLDocument(SecretBytes(utf8: written))
            try promise(again.problems.isEmpty, "what was read is refused when it is written anew")
            guard let same = again.root else { throw BrokenPromise("what was read is nothing when it is written anew") }
            try promise(YAMLWriter.text(of: same) == written, "what was read is something else when it is written anew")
        }
        for problem in document.problems {
            try promise(problem.position.line > 0 && problem.position.column > 0, "a problem nowhere")
            try promise(!problem.message.isEmpty, "a problem without words")
        }
        guard let text = String(validating: input, as: UTF8.self) else {
            return try promise(!document.problems.isEmpty, "what is no text has no problem")
        }
        try checkSettings(text)
    }

    private func checkSettings(_ text: String) throws(BrokenPromise) {
        let source = ConfigurationSource(text: text, folder: "/nowhere") { name in
            name == "PASSGATE_SECRET" ? SecretText("S3cretFromTheEnvironment") : nil
        }
        for case (_, .mapping(let connections)) in source.values.filter({ $0.key == "connections" }) {
            for case (let name, .mapping(let values)) in connections {
                for environment in ConnectionSettings.Environment.allCases {
                    read(values, name, environment, source)
                }
            }
        }
        for line in ProblemReport(path: "passgate.yaml", problems: source.problems.located(by: source.lines)).lines {
            try promise(!line.contains("S3cretFromTheEnvironment"), "a problem quotes a secret: \(line)")
        }
    }

    private func read(
        _ values: [(key: String, value: SettingValue)], _ name: String, _ environment: ConnectionSettings.Environment,
        _ source: ConfigurationSource
    ) {
        for provider in ProviderCatalogue.all {
            let settings = ConnectionSettings(
                connection: name, keyPath: "connections.\(name)", environment: environment, values: values,
                known: TransportReader.commonKeys,
                readFile: { path throws(FileUnreadable) in
                    do throws(FileFailure) { return try source.resolver.contents(of: path) } catch {
                        throw FileUnreadable(error.description)
                    }
                }, report: { source.problems.add($0) })
            _ = TransportReader(settings: settings, now: AdapterBench.clock.now).read(environment)
            _ = provider.init(settings: settings, kit: kit)
            settings.reportUnknownKeys()
        }
    }
}
