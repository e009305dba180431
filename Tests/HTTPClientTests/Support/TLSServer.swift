import Foundation

/// The `openssl` command as a TLS server on a free loopback port.
final class TLSServer: Sendable {
    let port: Int
    private let command: ServerCommand

    /// Starts a server that answers each request with a page; with `isScripted` it answers what ``answer(_:after:)`` says.
    init(_ identity: TestAuthority.Identity, isScripted: Bool = false, _ options: [String] = []) throws {
        command = try ServerCommand(
            "openssl",
            ["s_server", "-accept", "127.0.0.1:0", "-cert", identity.certificate, "-key", identity.key]
                + (isScripted ? [] : ["-www"]) + options)
        // It says "ACCEPT 127.0.0.1:port" once it listens.
        while true {
            let line = command.text.components(separatedBy: "\n").dropLast().first { $0.hasPrefix("ACCEPT") }
            if let port = line?.components(separatedBy: ":").last.flatMap({ Int($0) }) {
                self.port = port
                return
            }
            guard command.read() else {
                command.end()
                throw POSIXError(.ECONNREFUSED)
            }
        }
    }

    /// The server under the name that its certificate is for.
    var url: String { "https://localhost:\(port)/" }

    /// Sends an answer as soon as the server has printed the text.
    func answer(_ answer: String, after text: String) {
        Thread.detachNewThread { [command] in
            while !command.text.contains(text) { guard command.read() else { return } }
            command.write(answer)
        }
    }

    /// What it has printed: with `isScripted`, what the client has sent.
    var printed: String { command.text }

    /// Ends it.
    func stop() { command.end() }
}
