import Synchronization
import Testing

@testable import passgate

@Suite("A command line finds its command")
struct ArgumentsTests {
    private let options: [Command.Option] = [.config, .json, .help]

    @Test(arguments: [["--config", "a.yaml", "--json"], ["--json", "--config=a.yaml"]])
    func readsOptionsInAnyOrder(words: [String]) throws {
        let arguments = try Arguments(words, options: options)
        #expect(arguments.configuration == "a.yaml")
        #expect(arguments.has(.json))
        #expect(!arguments.has(.help))
    }

    @Test func readsOperandsBesideOptions() throws {
        let arguments = try Arguments(["a", "--json", "-"], options: options, operands: 2)
        #expect(arguments.operands == ["a", "-"] && arguments.has(.json))
        #expect(throws: Arguments.Misuse.self) { try Arguments(["a", "b"], options: options, operands: 1) }
        #expect(throws: Arguments.Misuse.self) { try Arguments(["--x"], options: options, operands: 1) }
    }

    @Test func readsThisFoldersConfigurationUnlessTold() throws {
        #expect(try Arguments([], options: options).configuration == "passgate.yaml")
    }

    @Test(arguments: [
        (["--conf", "x"], "--conf is not an option"), (["x"], "x is not an option"),
        (["--config"], "--config needs a value"), (["--config="], "--config needs a value"),
        (["--json=1"], "--json takes no value"), (["--json", "--json"], "--json is given twice"),
    ])
    func refusesWhatItCannotUnderstand(words: [String], says: String) throws {
        let misuse = #expect(throws: Arguments.Misuse.self) { try Arguments(words, options: options) }
        #expect(misuse?.message.contains(says) == true)
    }

    @Test(arguments: Command.all.map(\.name))
    func explainsEveryCommand(name: String) async {
        let name = name.split(separator: " ").map(String.init)
        for words in [name + ["--help"], ["help"] + name] {
            let (code, output, _) = await run(words)
            #expect(code == .success)
            #expect(output.contains("passgate \(name.joined(separator: " "))"))
            #expect(output.contains("--help"))
        }
    }

    @Test func listsTheCommands() async {
        let (code, output, _) = await run(["--help"])
        #expect(code == .success)
        for command in Command.all { #expect(output.contains(command.summary)) }
    }

    @Test(arguments: [([], "Usage"), (["chekc"], "did you mean check?"), (["version", "x"], "not an option")])
    func endsWithUsageWhereItCannotUnderstand(words: [String], says: String) async {
        let (code, _, error) = await run(words)
        #expect(code == .usage)
        #expect(error.contains(says))
    }

    @Test func saysItsVersion() async {
        #expect(await run(["version"]).output == "passgate \(Version.current)\n")
        #expect(await run(["--version"]).output == "passgate \(Version.current)\n")
        #expect(await run(["version", "--json"]).output == "{\"version\":\"\(Version.current)\"}\n")
    }

    private func run(_ words: [String]) async -> (code: ExitCode, output: String, error: String) {
        let heard = Heard()
        let console = Console(
            output: { line in heard.output.withLock { $0 += line + "\n" } },
            error: { line in heard.error.withLock { $0 += line + "\n" } }, isTerminal: false)
        let code = await CommandLineTool(console: console).run(words)
        return (code, heard.output.withLock { $0 }, heard.error.withLock { $0 })
    }

    private final class Heard: Sendable {
        let output = Mutex("")
        let error = Mutex("")
    }
}
