public import ProviderKit
public import SecretMemory
import YAML

/// A configuration file with its references put in, before anything is made of it.
public struct ConfigurationSource: Sendable {
    /// What stands at the top.
    public private(set) var values: [(key: String, value: SettingValue)] = []
    /// Where everything stands.
    public private(set) var lines = LineMap()
    /// What was wrong already.
    public let problems = ProblemList()
    /// Finds files that the configuration names.
    public let resolver: ReferenceResolver

    /// Reads a file. Whatever is wrong with it is in ``problems``.
    public init(path: String, environment: @escaping @Sendable (String) -> SecretText?) {
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
        resolver = ReferenceResolver(
            folder: path.hasPrefix("/") && folder.isEmpty ? "/" : folder, environment: environment)
        let text: SecretBytes
        do throws(FileFailure) {
            text = try SecretBytes(contentsOfFile: path, limit: YAMLDocument.Limits().bytes)
        } catch {
            problems.problem(at: "", "the configuration \(path) \(error.description)")
            return
        }
        take(YAMLDocument(text))
    }

    /// Reads a text, whose files start at `folder`.
    public init(text: String, folder: String, environment: @escaping @Sendable (String) -> SecretText?) {
        resolver = ReferenceResolver(folder: folder, environment: environment)
        take(YAMLDocument(SecretBytes(utf8: text)))
    }

    private mutating func take(_ document: YAMLDocument) {
        for problem in document.problems {
            let place = "line \(problem.position.line), column \(problem.position.column)"
            problems.problem(at: problem.keyPath, "\(problem.message) (\(place))")
        }
        guard let root = document.root else {
            if document.problems.isEmpty { problems.problem(at: "", "the configuration is empty") }
            return
        }
        guard case .mapping(let members) = resolve(root, at: "") else {
            problems.problem(at: "", "the configuration must be a mapping of keys to values")
            return
        }
        values = members
    }

    private mutating func resolve(_ node: YAMLNode, at keyPath: String) -> SettingValue {
        lines.set(keyPath, line: node.position.line)
        switch node.content {
        case .refused: return .unresolved
        case .sequence(let items):
            return .list(items.enumerated().map { resolve($1, at: "\(keyPath)[\($0)]") })
        case .mapping(let members):
            return .mapping(
                members.map { member in
                    let path = keyPath.isEmpty ? member.key : "\(keyPath).\(member.key)"
                    let value = resolve(member.value, at: path)
                    lines.set(path, line: member.position.line)
                    return (member.key, value)
                })
        case .scalar(let text, let style):
            if style == .plain, ["", "~", "null"].contains(text.reveal()) { return .empty }
            let resolved = resolver.resolve(text) { problems.problem(at: keyPath, $0) }
            return resolved.map(SettingValue.text) ?? .unresolved
        }
    }
}
