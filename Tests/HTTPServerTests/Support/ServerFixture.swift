import EventLoop
import HTTPServer
import Testing

/// A server on a free loopback port, with loops of its own.
struct ServerFixture: Sendable {
    let group: EventLoopGroup
    let server: HTTPServer

    /// Runs the test with a server, and stops everything after it.
    static func with<Result>(
        _ handler: TestHandler, loops: Int = 1, configure: (inout HTTPServerConfiguration) -> Void = { _ in },
        _ test: (ServerFixture) async throws -> Result
    ) async throws -> Result {
        var configuration = HTTPServerConfiguration()
        configure(&configuration)
        let group = EventLoopGroup(count: loops)
        defer { group.stop() }
        let server = HTTPServer(configuration: configuration, loops: group.loops, handler: handler)
        try server.start()
        do {
            let result = try await test(ServerFixture(group: group, server: server))
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// A connected client.
    func client(receiveBuffer: Int32? = nil) async throws -> RawClient {
        try await RawClient(port: server.port, receiveBuffer: receiveBuffer)
    }

    /// Waits until the condition holds; for what the server counts and does not tell.
    func wait(until condition: () -> Bool) async {
        while !condition() && !Task.isCancelled { await Task.yield() }
    }
}

/// The head of a request, with a Host and an empty line.
func head(_ method: String = "GET", _ target: String = "/", _ fields: String..., version: String = "HTTP/1.1") -> String
{
    let lines = ["\(method) \(target) \(version)", "Host: test"] + fields
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
}

/// A request with a body and its length.
func post(_ target: String, _ body: String) -> String {
    head("POST", target, "Content-Length: \(body.utf8.count)") + body
}
