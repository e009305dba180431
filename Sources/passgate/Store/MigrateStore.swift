import EventLoop
import ProviderKit
import Storage

extension Command {
    /// `passgate store migrate`
    static let migrateStore = Command(
        name: "store migrate", summary: "bring the store's schema to this version",
        explanation: """
            Runs the steps that the store's schema lacks, in one transaction, and creates a store that is not there yet.
            serve does the same when it starts. A schema works with this version of passgate and the one before:
            gateways of the version before go on while others are replaced. No version starts on a schema that it does
            not know.

            With --plan it lists the steps, and changes nothing.

            Exit codes: 0 the schema is of this version, 1 with --plan: there are steps to run, 64 command line, 69 the
            store cannot be had, or is newer, 78 configuration.
            """, options: [.config, .plan, .json, .help]
    ) { arguments, console in
        let command = StoreCommand(name: "store migrate", arguments: arguments, console: console)
        let isPlan = arguments.has(.plan)
        let end: @Sendable (SchemaPlan) -> ExitCode = { plan in
            tell(plan, isPlan: isPlan, arguments, console)
            return isPlan && !plan.steps.isEmpty ? .findings : .success
        }
        let migrate: @Sendable (SQLiteFile) -> ExitCode = { file in
            do throws(StoreFailure) {
                return end(isPlan ? try file.plan() : try file.migrate())
            } catch {
                return command.fail(.unavailable, "the store \(file.path) \(error.words)")
            }
        }
        return await command.runOnFile(migrate) { place in
            do throws(StoreFailure) {
                return end(isPlan ? try await place.plan() : try await place.migrate())
            } catch {
                return command.fail(.unavailable, "the store \(place.name) \(error.words)")
            }
        }
    }

    private static func tell(_ plan: SchemaPlan, isPlan: Bool, _ arguments: Arguments, _ console: Console) {
        if arguments.has(.json) {
            var json = JSONWriter(capacity: 1024)
            json.object { json in
                json.member("found", plan.found)
                json.member("known", SchemaPlan.known)
                json.member("done", !isPlan)
                json.member(
                    "steps",
                    array: { json in
                        for step in plan.steps {
                            json.object { json in
                                json.member("version", step.version)
                                json.member("summary", step.summary)
                            }
                        }
                    })
            }
            return console.output(json.finishText())
        }
        for step in plan.steps {
            console.output("\(isPlan ? "would run" : "ran") step \(step.version): \(step.summary)")
        }
        let found = plan.found == 0 ? "there was no store yet" : "the schema was version \(plan.found)"
        if plan.steps.isEmpty { return console.output("the schema is version \(plan.found): nothing to do") }
        console.output("\(found), this passgate's is \(SchemaPlan.known)")
    }
}

extension Command.Option {
    static let plan = Command.Option(name: "--plan", value: nil, summary: "list the steps, and change nothing")
}
