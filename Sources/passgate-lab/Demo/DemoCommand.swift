import EventLoop
import Foundation
import Sandbox
import SecretMemory

/// `passgate-lab demo`
struct DemoCommand {
    let json: Bool

    func run(in laboratory: Laboratory) async -> ExitCode {
        let say: @Sendable (String) -> Void = { [json] line in if !json { StandardStream.output.write(line + "\n") } }
        guard let executable = Bundle.main.executableURL,
            let command = try? LaboratoryGateway.command(beside: executable)
        else {
            StandardStream.error.write("passgate-lab: there is no passgate command beside this one; build it first\n")
            return .unavailable
        }
        say("Passgate laboratory: processors, network and devices are simulated.\n")
        let run = Task {
            var demo = Demo(laboratory: laboratory, command: command, say: say)
            await demo.run()
            return demo.report
        }
        await laboratory.onTermination { run.cancel() }
        let report = await run.value
        if json {
            StandardStream.output.write((report.json.revealText() ?? "") + "\n")
        } else {
            print(report, with: say)
        }
        return report.isGood ? .fine : .failed
    }

    private func print(_ report: DemoReport, with say: (String) -> Void) {
        if !report.rows.isEmpty { say("\n" + report.table.joined(separator: "\n") + "\n") }
        if let status = report.gatewayExit { say("  gateway   ended with exit code \(status); its folder is removed") }
        if let failure = report.failure { say("  failure   \(failure)") }
        say(report.isGood ? "\nAll went as shown." : "\nNot everything went as it should.")
    }
}
