import ConfigurationFile
import ProviderKit
import SecretMemory

extension Command {
    /// `passgate check`
    static let check = Command(
        name: "check", summary: "say whether the configuration can be used",
        explanation: """
            Reads the configuration with everything it refers to, as serve would, and lists every problem with its line
            and key path. Nothing is sent; of the store, if there is one, it is only read where its cards are and which
            keys it has. Warnings alone leave the exit code at 0; a problem makes it 78. passgate doctor also reaches
            out.

            With --ready it asks the gateway that runs here by this configuration whether it is ready, and checks
            nothing else: 0 where it is, 69 where it is not or nobody answers within 2 seconds. Made for health checks.
            """, options: [.config, .ready, .json, .help]
    ) { arguments, console in
        let path = arguments.configuration
        let source = ConfigurationSource(path: path) { SecretText(environmentVariable: $0) }
        if arguments.has(.ready) { return await ReadinessQuestion(arguments, console).ask(source) }
        let reader = ConfigurationReader(source: source) { _, _ in .offline }
        var (configuration, problems) = reader.read()
        if let configuration {
            problems += configuration.advice(on: await configuration.storedKeys())
            problems += await configuration.drift().map { LocatedProblem(problem: $0, line: nil) }
        }
        let report = ProblemReport(path: path, problems: problems)
        if arguments.has(.json) {
            console.output(report.json)
        } else {
            for line in report.lines { console.output(line) }
            console.output(report.summary)
        }
        return configuration == nil ? .configuration : .success
    }
}
