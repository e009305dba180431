import ProviderKit
import SecretMemory
import Synchronization
import YAML

extension EmulatedConnection {
    /// The provider that a gateway would make of it, some settings replaced.
    ///
    /// - Throws: ``LaboratoryFailure``, with what the provider says is wrong.
    func provider<Provider: ConfigurableProvider>(
        _: Provider.Type, replacing others: [(key: String, value: String)], kit: AdapterKit
    ) throws(LaboratoryFailure) -> Provider {
        let problems = ProblemNotes()
        let settings = try settings(replacing: others) { problems.add($0) }
        let provider = Provider(settings: settings, kit: kit)
        settings.reportUnknownKeys()
        guard let provider, problems.texts.isEmpty else {
            throw LaboratoryFailure(
                "the emulator's connection cannot be used: \(problems.texts.joined(separator: "; "))")
        }
        return provider
    }

    /// The texts of it that are secrets by their name.
    var credentials: [String] {
        settings.filter { $0.key == "api_key" || $0.key.contains("secret") }
            .map { $0.value.filter { $0 != "\"" && $0 != "[" && $0 != "]" } }.filter { $0.count > 8 }
    }

    /// Its settings as a configuration's reader would see them, some of them replaced.
    ///
    /// - Throws: ``LaboratoryFailure`` where they are not YAML, or the adapter reports a problem.
    func settings(
        replacing others: [(key: String, value: String)] = [],
        report: @escaping @Sendable (ConfigurationProblem) -> Void
    ) throws(LaboratoryFailure) -> ConnectionSettings {
        let names = Set(others.map(\.key))
        let lines = (settings.filter { !names.contains($0.key) } + others).map { "\($0.key): \($0.value)\n" }
        let document = YAMLDocument(SecretBytes(utf8: lines.joined()))
        guard let root = document.root, document.problems.isEmpty, case .mapping(let members) = value(of: root) else {
            throw LaboratoryFailure("the emulator's connection is no mapping in YAML")
        }
        return ConnectionSettings(
            connection: "laboratory", keyPath: "connections.laboratory", environment: .test, values: members,
            known: ["provider", "environment"],
            readFile: { [files] path throws(FileUnreadable) in
                guard let file = files.first(where: { $0.name == path }) else {
                    throw FileUnreadable("\(path) is none of the emulator's files")
                }
                return SecretText(file.contents)
            }, report: report)
    }

    private func value(of node: YAMLNode) -> SettingValue {
        switch node.content {
        case .refused: .unresolved
        case .sequence(let items): .list(items.map(value))
        case .mapping(let members): .mapping(members.map { ($0.key, value(of: $0.value)) })
        case .scalar(let text, let style):
            if style == .plain, ["", "~", "null"].contains(text.reveal()) { .empty } else { .text(contents(of: text)) }
        }
    }

    /// The text, or the file that it names.
    private func contents(of text: SecretText) -> SecretText {
        let file = files.first { "file:\($0.name)" == text.reveal() }
        return file.map { SecretText(String($0.contents.trimmingSuffix { $0 == "\n" })) } ?? text
    }
}

extension String {
    /// Without one character at the end that matches.
    fileprivate func trimmingSuffix(_ matches: (Character) -> Bool) -> Substring {
        last.map(matches) == true ? dropLast() : self[...]
    }
}

/// What was found wrong with a connection, warnings left out.
private final class ProblemNotes: Sendable {
    private let notes = Mutex<[String]>([])

    var texts: [String] { notes.withLock { $0 } }

    func add(_ problem: ConfigurationProblem) {
        if problem.severity == .problem { notes.withLock { $0.append(problem.description) } }
    }
}
