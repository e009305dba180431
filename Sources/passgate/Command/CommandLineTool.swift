import ProviderKit

/// Finds the command that was asked for, and runs it.
struct CommandLineTool: Sendable {
    let console: Console

    /// Runs the command that the words stand for.
    func run(_ words: [String]) async -> ExitCode {
        guard let name = words.first else {
            console.error(Self.overview)
            return .usage
        }
        switch name {
        case "help", "--help", "-h": return explain(words.dropFirst().first)
        case "--version": return await run(["version"] + words.dropFirst())
        default: break
        }
        guard let command = Command.all.first(where: { $0.name == name }) else { return refuse(name) }
        let arguments: Arguments
        do throws(Arguments.Misuse) {
            arguments = try Arguments(Array(words.dropFirst()), options: command.options)
        } catch {
            console.error("passgate \(name): \(error.message); try passgate \(name) --help")
            return .usage
        }
        if arguments.has(.help) {
            console.output(command.help)
            return .success
        }
        return await command.run(arguments, console)
    }

    private func explain(_ name: String?) -> ExitCode {
        guard let name else {
            console.output(Self.overview)
            return .success
        }
        guard let command = Command.all.first(where: { $0.name == name }) else { return refuse(name) }
        console.output(command.help)
        return .success
    }

    private func refuse(_ name: String) -> ExitCode {
        let nearest = NearestName.of(name, among: Command.all.map(\.name)).map { "; did you mean \($0)?" } ?? ""
        console.error("passgate: there is no command \(name)\(nearest)\nTry passgate --help.")
        return .usage
    }

    /// What `passgate --help` prints.
    static var overview: String {
        let width = Command.all.map(\.name.count).max() ?? 0
        let lines = Command.all.map { "  \($0.name.padded(to: width))  \($0.summary)" }
        return """
            passgate: adds issued cards to Apple Pay and Google Pay, whichever processor issues them

            Usage: passgate COMMAND [OPTIONS]

            Commands:
            \(lines.joined(separator: "\n"))

            passgate COMMAND --help explains one. Exit codes: 0 well, 64 command line, 69 something needed cannot be had,
            70 a fault of ours, 78 configuration, 130 serve ended by a second signal.
            """
    }
}
