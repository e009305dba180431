import ProviderKit

/// Finds the command that was asked for, and runs it.
struct CommandLineTool: Sendable {
    let console: Console

    /// Runs the command that the words stand for.
    func run(_ words: [String]) async -> ExitCode {
        guard let first = words.first else {
            console.error(Self.overview)
            return .usage
        }
        switch first {
        case "help", "--help", "-h": return explain(Array(words.dropFirst()))
        case "--version": return await run(["version"] + words.dropFirst())
        default: break
        }
        guard let (command, rest) = Self.command(in: words) else { return refuse(words) }
        let arguments: Arguments
        do throws(Arguments.Misuse) {
            arguments = try Arguments(rest, options: command.options, operands: command.operands.count)
            if arguments.operands.count < command.operands.count, !arguments.has(.help) {
                throw Arguments.Misuse(message: "\(command.operands[arguments.operands.count]) is missing")
            }
        } catch {
            console.error("passgate \(command.name): \(error.message); try passgate \(command.name) --help")
            return .usage
        }
        if arguments.has(.help) {
            console.output(command.help)
            return .success
        }
        return await command.run(arguments, console)
    }

    /// The command that the words begin with, and the words after its name.
    private static func command(in words: [String]) -> (command: Command, rest: [String])? {
        for command in Command.all {
            let name = command.name.split(separator: " ").map(String.init)
            if words.starts(with: name) { return (command, Array(words.dropFirst(name.count))) }
        }
        return nil
    }

    private func explain(_ words: [String]) -> ExitCode {
        guard !words.isEmpty else {
            console.output(Self.overview)
            return .success
        }
        guard let (command, _) = Self.command(in: words) else { return refuse(words) }
        console.output(command.help)
        return .success
    }

    private func refuse(_ words: [String]) -> ExitCode {
        let names = Command.all.map(\.name)
        let group = names.filter { $0.hasPrefix("\(words[0]) ") }
        // Of a command with two words, as many are told.
        let name = words.prefix(group.isEmpty ? 1 : 2).joined(separator: " ")
        let meant = group.count == 1 ? group.first : NearestName.of(name, among: group.isEmpty ? names : group)
        let nearest = meant.map { "; did you mean \($0)?" } ?? ""
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

            passgate COMMAND --help explains one. Exit codes: 0 well, 1 something was found or refused, 64 command line,
            66 no such file, 69 something needed cannot be had, 70 a fault of ours, 78 configuration, 130 ended by a
            signal (serve: by a second one).
            """
    }
}
