import ProviderKit
import Storage

extension Command {
    /// `passgate audit verify`
    static let verifyAudit = Command(
        name: "audit verify", summary: "say whether the audit trail is whole",
        explanation: """
            Reads every program's audit trail from its first entry to its last, and names each entry that is missing, or
            is not what was written there: changed, moved or put in. root_secrets must hold every root secret that entries
            were made under. With --head it also says whether the trail still has an entry that serve logged once as
            audit_head: then a tail that was cut off is found too. Nothing is changed.

            Exit codes: 0 whole, 1 not whole, 64 command line, 69 the store cannot be read, 78 configuration.
            """, options: [.config, .program, .head, .json, .help]
    ) { arguments, console in
        await VerifyAuditCommand(arguments: arguments, console: console).run()
    }
}

extension Command.Option {
    static let head = Command.Option(
        name: "--head", value: "SEQ:DIGEST", summary: "an entry that the trail must have, as serve logged it")
}

/// Verifies the audit trail.
struct VerifyAuditCommand {
    let arguments: Arguments
    let console: Console

    /// Verifies, and says what is wrong.
    func run() async -> ExitCode {
        await StoreCommand(name: "audit verify", arguments: arguments, console: console).run { session in
            await verify(session.store, with: AuditChain(session.keys))
        }
    }

    private func verify(_ store: any AuditTrail, with chain: AuditChain) async -> ExitCode {
        do throws(StoreFailure) {
            let named = arguments.value(of: .program)
            var programs = try await store.auditHeads().map(\.program)
            if let named { programs = [named] }
            var head: AuditHead?
            if let text = arguments.value(of: .head) {
                guard programs.count == 1 else {
                    return fail(.usage, "--head needs --program: whose trail it is the head of")
                }
                head = AuditHead(text, program: programs[0])
                if head == nil { return fail(.usage, "--head must be SEQ:DIGEST, as serve logged it") }
            }
            var reports: [AuditReport] = []
            for program in programs {
                reports.append(try await store.verify(program: program, with: chain, head: head))
            }
            tell(reports)
            return reports.allSatisfy(\.isWhole) ? .success : .findings
        } catch {
            return fail(.unavailable, "the store \(error.words)")
        }
    }

    private func tell(_ reports: [AuditReport]) {
        if arguments.has(.json) {
            var json = JSONWriter(capacity: 1024)
            json.auditReports(reports)
            return console.output(json.finishText())
        }
        if reports.isEmpty { console.output("the audit trail is empty") }
        for report in reports {
            for finding in report.findings {
                console.output("\(report.program): \(finding.place): \(finding.fault.words)")
            }
            let verdict = report.isWhole ? "whole" : "not whole, \(report.findingCount) findings"
            let head = report.head.map { ", head \($0.text)" } ?? ""
            console.output("\(report.program): \(report.entries) entries, \(verdict)\(head)")
        }
    }

    private func fail(_ code: ExitCode, _ why: String) -> ExitCode {
        console.error("passgate audit verify: \(why)")
        return code
    }
}
