import EventLoop
import Glibc
import HTTPClient
import ProviderKit
import SecretMemory

/// A client with loops of its own.
struct ClientFixture: Sendable {
    let group: EventLoopGroup
    let client: HTTPClient
    let transport: any UpstreamTransport

    /// Runs the test with a client, and stops everything after it.
    static func with<Result>(
        loops: Int = 1, _ options: TransportOptions = .loopback, _ test: (ClientFixture) async throws -> Result
    ) async throws -> Result {
        Self.misleadingEnvironment
        let group = EventLoopGroup(count: loops)
        defer { group.stop() }
        let client = HTTPClient(loops: group.loops)
        defer { client.close() }
        return try await test(
            ClientFixture(group: group, client: client, transport: client.transport(options)))
    }

    /// Proxies that lead nowhere, set for all tests: that requests arrive shows that the environment plays no part.
    private static let misleadingEnvironment: Void = {
        for name in ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            setenv(name, "http://127.0.0.1:9", 1)
        }
    }()

    /// Sends from a task on a loop, which is cancelled together with the caller's.
    func send(_ request: UpstreamRequest, loop: Int = 0) async -> Result<UpstreamResponse, TransportFailure> {
        let task = group.loops[loop].run { [transport] in await transport.result(of: request) }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}

extension UpstreamTransport {
    /// Sends, from wherever the caller is.
    func result(of request: UpstreamRequest) async -> Result<UpstreamResponse, TransportFailure> {
        do throws(TransportFailure) { return .success(try await send(request)) } catch { return .failure(error) }
    }
}

extension TransportOptions {
    /// Options for the tests' own servers.
    static var loopback: TransportOptions {
        var options = TransportOptions()
        options.allowPlainHTTPToLoopback = true
        return options
    }
}

extension UpstreamRequest {
    /// A POST with a body, and some seconds' time.
    static func post(_ url: String, _ body: String?, within time: Duration = .seconds(5)) -> UpstreamRequest {
        UpstreamRequest(.post, url, body: body.map { SecretBytes(utf8: $0) }, deadline: .now + time)
    }

    /// A GET, and some seconds' time.
    static func get(_ url: String, within time: Duration = .seconds(5)) -> UpstreamRequest {
        UpstreamRequest(.get, url, deadline: .now + time)
    }
}

extension Result where Success == UpstreamResponse, Failure == TransportFailure {
    /// The status; nil without an answer.
    var status: Int? { try? get().status }

    /// The failure; nil with an answer.
    var failure: TransportFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }

    /// The body as text; nil without an answer.
    var text: String? { (try? get())?.body.revealText() }
}
