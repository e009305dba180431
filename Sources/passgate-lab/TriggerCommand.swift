import EventLoop
import ProviderKit
import Sandbox
import SecretMemory

/// `passgate-lab trigger`
struct TriggerCommand {
    let options: TriggerOptions

    func run(in laboratory: Laboratory) async -> ExitCode {
        let sandbox = GatewayClient(
            baseURL: options.sandbox, key: nil, transport: laboratory.transport, json: laboratory.json)
        let answer: GatewayAnswer
        do throws(TransportFailure) {
            let overview = try await sandbox.send(.get, "/_lab")
            let emulators = overview.json?["emulators"]?.elements ?? []
            let sender = emulators.first { events(of: $0).contains(options.event) }?["name"]?.string
            guard let sender else {
                let known = emulators.flatMap(events).joined(separator: ", ")
                return fail("no processor sends \(options.event); known are: \(known)", .usage)
            }
            var json = JSONWriter()
            json.object { json in
                json.member("event", options.event)
                if let card = options.card { json.member("card", card) }
                json.member("to", options.url ?? "http://127.0.0.1:8080/v1/inbound/\(sender)_sandbox")
            }
            answer = try await sandbox.send(.post, "/_lab/\(sender)/webhooks", json.finish())
        } catch {
            return fail("the sandbox at \(options.sandbox) gave no answer: \(error.cause.rawValue)", .unavailable)
        }
        guard answer.status == 200, let json = answer.json, let status = json["status"]?.integer else {
            return fail(answer.json?["error"]?.string ?? "the sandbox answered \(answer.status)", .failed)
        }
        let line = "sent \(options.event) to \(json["to"]?.string ?? ""): \(status)"
        StandardStream.output.write((options.json ? json.canonical.revealText() ?? "" : line) + "\n")
        return (200..<300).contains(status) ? .fine : .failed
    }

    private func events(of emulator: JSONView) -> [String] {
        emulator["webhooks"]?.elements?.compactMap(\.string) ?? []
    }

    private func fail(_ text: String, _ code: ExitCode) -> ExitCode {
        StandardStream.error.write("passgate-lab: \(text)\n")
        return code
    }
}
