import Foundation
import RawSockets

/// nginx with TLS and HTTP/2, which winds a connection up after a few requests.
final class NginxServer: Sendable {
    /// Where nginx is, if it is installed.
    static let path = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    let port: UInt16
    private let finder: ScriptedServer
    private let command: ServerCommand

    /// Starts it; every request is answered with the protocol that it came by.
    init(_ identity: TestAuthority.Identity, folder: String, requestsPerConnection: Int) throws {
        // nginx cannot choose a port: a server that listens no more has found one, and keeps it from others.
        finder = try ScriptedServer { _ in }
        finder.stopListening()
        port = finder.port
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/\($0);" }
        let text = """
            daemon off; master_process off; pid \(folder)/nginx.pid; error_log \(folder)/error.log;
            events { worker_connections 512; }
            http {
                access_log off; keepalive_requests \(requestsPerConnection); \(paths.joined(separator: " "))
                server {
                    listen 127.0.0.1:\(port) ssl http2 reuseport;
                    ssl_certificate \(identity.certificate); ssl_certificate_key \(identity.key);
                    location / { return 200 "$server_protocol"; }
                }
            }
            """
        try text.write(toFile: folder + "/nginx.conf", atomically: true, encoding: .utf8)
        command = try ServerCommand(Self.path ?? "nginx", ["-p", folder, "-c", folder + "/nginx.conf"])
    }

    /// The server under the name that its certificate is for.
    var url: String { "https://localhost:\(port)/" }

    /// Ends it.
    func stop() {
        command.end()
        finder.stop()
    }
}
