import EventLoop
import ProviderKit
import Sandbox
import SecretMemory

/// `passgate-lab sandbox`
struct SandboxCommand {
    let port: UInt16
    let json: Bool

    func run(in laboratory: Laboratory) async -> ExitCode {
        let server: SandboxServer
        do { server = try SandboxServer(laboratory.makeSandbox(), port: port, on: laboratory.loops) } catch {
            StandardStream.error.write("passgate-lab: \(error)\n")
            return .unavailable
        }
        StandardStream.output.write(json ? ready(server) : explanation(of: server))
        let (ends, continuation) = AsyncStream.makeStream(of: Void.self)
        await laboratory.onTermination { continuation.finish() }
        for await _ in ends {}
        await server.stop()
        return .fine
    }

    /// One line for a script that waits until it can go on.
    private func ready(_ server: SandboxServer) -> String {
        var json = JSONWriter()
        json.object { json in
            json.member("object", "sandbox")
            json.member("simulated", true)
            json.member("url", server.url)
            json.member(
                "emulators",
                array: { json in
                    for emulator in server.sandbox.emulators { describe(emulator, at: server, into: &json) }
                })
        }
        return json.finishText() + "\n"
    }

    private func describe(_ emulator: any Emulator, at server: SandboxServer, into json: inout JSONWriter) {
        let connection = emulator.connection(at: server.url(of: emulator))
        json.object { json in
            json.member("name", emulator.name)
            json.member("url", server.url(of: emulator))
            json.member(
                "connection",
                object: { json in
                    for (key, value) in connection.settings {
                        json.member(key, value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : value)
                    }
                })
            json.member(
                "files", object: { json in for file in connection.files { json.member(file.name, file.contents) } })
        }
    }

    private func explanation(of server: SandboxServer) -> String {
        var lines = ["Passgate laboratory: the sandbox listens on \(server.url). Everything in it is simulated."]
        for emulator in server.sandbox.emulators {
            let url = server.url(of: emulator)
            let connection = emulator.connection(at: url)
            lines += ["", "\(emulator.displayName), under \(url)", "", "  a connection for passgate.yaml:", ""]
            lines.append("    \(LaboratoryConfiguration.connectionName(of: emulator)):")
            lines += connection.settings.map { "      \($0.key): \($0.value)" }
            for file in connection.files {
                lines += ["", "  \(file.name), beside passgate.yaml:", ""]
                lines += file.contents.split(separator: "\n").map { "    \($0)" }
            }
            lines += [
                "", "  a call to try:", "", "    \(emulator.sampleCall(at: url))", "", "  cards by what they do:", "",
            ]
            var table = TextTable([("id", .left), ("what it does", .left)])
            for magic in emulator.magicIDs { table.add([magic.id, magic.meaning]) }
            lines += table.lines.map { "    \($0)" }
        }
        lines += [
            "", "Faults for the next requests, here two times a 503 after a quarter of a second:", "",
            "    curl -s \(server.url)/_lab/\(server.sandbox.emulators.first?.name ?? "")/faults "
                + "-d '{\"count\":2,\"status\":503,\"delay_ms\":250}'",
            "", "What it saw: GET \(server.url)/_lab/{emulator}/requests. Start over: POST \(server.url)/_lab/reset.",
            "Ctrl-C ends it.", "",
        ]
        return lines.joined(separator: "\n")
    }
}
