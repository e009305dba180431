import ConfigurationFile
import EventLoop

extension Console {
    /// Says why the configuration cannot be used.
    func refuse(_ problems: [LocatedProblem], of arguments: Arguments) -> ExitCode {
        let report = ProblemReport(path: arguments.configuration, problems: problems)
        if arguments.has(.json) {
            output(report.json)
        } else {
            for line in report.lines { error(line) }
            error(report.summary)
        }
        return .configuration
    }
}

extension SignalWatch {
    /// Has a signal end a command at once that leaves nothing half done.
    static func endAtOnce(on loop: EventLoop) {
        loop.run {
            watch(on: loop) { signal in
                if signal == .terminate { ProcessEnd.abandon(ExitCode.interrupted.rawValue) }
            }
        }
    }
}
