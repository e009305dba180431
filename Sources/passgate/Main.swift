import EventLoop

/// The gateway's command.
@main
struct Main {
    static func main() async {
        SignalWatch.block()
        let code = await CommandLineTool(console: .standard).run(Array(CommandLine.arguments.dropFirst()))
        ProcessEnd.exit(code.rawValue)
    }
}
