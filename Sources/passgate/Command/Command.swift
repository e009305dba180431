/// One command of the table.
struct Command: Sendable {
    /// What is typed: one word, or two.
    let name: String
    /// What it does, on one line of the list.
    let summary: String
    /// What it does, for people.
    let explanation: String
    /// What it needs beside its options, such as `FILE`.
    var operands: [String] = []
    /// Its options.
    let options: [Option]
    /// Does it.
    let run: @Sendable (Arguments, Console) async -> ExitCode

    /// An option of a command.
    struct Option: Sendable, Equatable {
        /// What is typed, such as `--config`.
        let name: String
        /// What its value is called; nil where it has none.
        let value: String?
        /// What it does.
        let summary: String

        static let config = Option(
            name: "--config", value: "FILE", summary: "the configuration; passgate.yaml in this folder unless told")
        static let ready = Option(
            name: "--ready", value: nil, summary: "ask the gateway that runs here whether it is ready")
        static let program = Option(
            name: "--program", value: "NAME", summary: "the program; needed where there are several")
        static let json = Option(name: "--json", value: nil, summary: "write JSON, for machines")
        static let help = Option(name: "--help", value: nil, summary: "explain the command")
    }

    /// Every command.
    static let all: [Command] = [
        .serve, .check, .doctor, .createKey, .listKeys, .revokeKey, .importCards, .verifyAudit, .migrateStore,
        .backUpStore, .verifyStore, .version,
    ]

    /// What `--help` prints.
    var help: String {
        let width = options.map { $0.usage.count }.max() ?? 0
        let lines = options.map { "  \($0.usage.padded(to: width))  \($0.summary)" }
        return """
            passgate \(([name] + operands).joined(separator: " ")): \(summary)

            \(explanation)

            Options:
            \(lines.joined(separator: "\n"))
            """
    }
}

extension Command.Option {
    /// As it is typed.
    var usage: String { value.map { "\(name) \($0)" } ?? name }
}

extension String {
    /// The text with spaces after it, up to that many characters.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
