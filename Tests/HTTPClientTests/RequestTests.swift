import Foundation
import HTTPClient
import ProviderKit
import RawSockets
import SecretMemory
import Testing

/// What leaves, and what is not allowed to.
@Suite struct RequestTests {
    private func wire(_ request: (ScriptedServer) -> UpstreamRequest) async throws -> String {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        return try await ClientFixture.with { fixture in
            let request = request(server)
            // Twice, on one handle and one connection: nothing of the first may show in the second.
            for _ in 0..<2 { #expect(await fixture.send(request).status == 200) }
            #expect(server.connections == 1)
            let received = server.received.replacing(":\(server.port)", with: ":port")
            let half = String(received.prefix(received.count / 2))
            #expect(half + half == received)
            return half
        }
    }

    @Test func aRequestIsWrittenAsItStands() async throws {
        let wire = try await wire { server in
            UpstreamRequest(
                .post, server.url("/a/../b/./c?d=%2F&e"),
                headers: [
                    .init("Authorization", "Bearer key"), .init("Content-Type", "application/json"),
                    .init("X-Empty", ""), .init("X-Padded", " a b "), .init("Accept", "application/json"),
                ], body: SecretBytes(utf8: "{\"a\":1}"), deadline: .now + .seconds(5))
        }
        #expect(
            wire == """
                POST /a/../b/./c?d=%2F&e HTTP/1.1\r
                Host: 127.0.0.1:port\r
                Authorization: Bearer key\r
                Content-Type: application/json\r
                X-Empty:\r
                X-Padded: a b\r
                Accept: application/json\r
                Content-Length: 7\r
                \r
                {"a":1}
                """)
    }

    @Test(arguments: ["POST", "PATCH"], [nil, ""])
    func aChangeWithoutBodyHasLengthZero(_ method: String, body: String?) async throws {
        let method = try #require(UpstreamRequest.Method(rawValue: method))
        let wire = try await wire { server in
            UpstreamRequest(
                method, server.url(), body: body.map { SecretBytes(utf8: $0) }, deadline: .now + .seconds(5))
        }
        #expect(wire == "\(method.rawValue) /cards HTTP/1.1\r\nHost: 127.0.0.1:port\r\nContent-Length: 0\r\n\r\n")
    }

    @Test(arguments: ["GET", "DELETE"])
    func aReadOrRemovalHasNoBody(_ method: String) async throws {
        let method = try #require(UpstreamRequest.Method(rawValue: method))
        let wire = try await wire { UpstreamRequest(method, $0.url(), deadline: .now + .seconds(5)) }
        #expect(wire == "\(method.rawValue) /cards HTTP/1.1\r\nHost: 127.0.0.1:port\r\n\r\n")
    }

    @Test(arguments: ["GET", "DELETE", "PATCH"])
    func anyMethodMayHaveABody(_ method: String) async throws {
        let method = try #require(UpstreamRequest.Method(rawValue: method))
        let wire = try await wire {
            UpstreamRequest(method, $0.url(), body: SecretBytes(utf8: "abc"), deadline: .now + .seconds(5))
        }
        #expect(wire == "\(method.rawValue) /cards HTTP/1.1\r\nHost: 127.0.0.1:port\r\nContent-Length: 3\r\n\r\nabc")
    }

    @Test func aLargeBodyArrivesWhole() async throws {
        let body = String(repeating: "0123456789abcdef", count: 131_072)
        let wire = try await wire { .post($0.url(), body) }
        #expect(wire.hasSuffix("\r\n\r\n" + body))
        #expect(!wire.contains("Expect"))
    }

    @Test func oneHandleServesAllMethodsInTurn() async throws {
        let server = try ScriptedServer { peer in while let request = peer.readRequest() { peer.answer(request) } }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            for method in ["POST", "GET", "PATCH", "DELETE", "GET", "POST"] {
                var request = UpstreamRequest.get(server.url())
                request.method = try #require(UpstreamRequest.Method(rawValue: method))
                if method != "GET" { request.body = SecretBytes(utf8: "abc") }
                let echo = try #require(await fixture.send(request).text)
                #expect(echo.hasPrefix("\(method) /cards"))
                #expect(echo.hasSuffix(method == "GET" ? "\r\n\r\n" : "\r\n\r\nabc"))
            }
            #expect(server.connections == 1)
        }
    }

    @Test(arguments: [
        "", "/cards", "localhost/cards", "//localhost/", "https:", "https://", "https:///cards", "https:/cards",
        "ftp://localhost/", "file:///etc/passwd", "gopher://localhost/", "HTTPS://localhost/", "https://me@localhost/",
        "https://me:word@localhost/", "https://localhost/#part", "https://localhost/a b", "https://localhost/\u{0}",
        "https://localhost/\n", "https://localhost/ä", "https://localhost:99999/", "https://local host/",
        "http://example.com/", "http://127.0.0.1.example.com/", "http://localhost.example.com/", "http://10.0.0.1/",
        "http://128.0.0.1/", "http://[::2]/",
    ])
    func aURLThatIsNotAllowedIsNotSent(_ url: String) async throws {
        try await ClientFixture.with { fixture in
            #expect(await fixture.send(.post(url, "nonce")).failure == .notSent(.invalidRequest))
        }
    }

    @Test func plainHTTPGoesOnlyWhereItMay() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        for (hosts, isAllowed) in [
            ([], false), (["127.0.0.1"], true), (["127.0.0.1:\(server.port)"], true), (["127.0.0.1:1"], false),
            (["127.0.0.2"], false),
        ] as [(Set<String>, Bool)] {
            var options = TransportOptions()
            options.allowPlainHTTPHosts = hosts
            try await ClientFixture.with(options) { fixture in
                let answer = await fixture.send(.get(server.url()))
                #expect(answer.status == (isAllowed ? 200 : nil), "\(hosts)")
                #expect(answer.failure == (isAllowed ? nil : .notSent(.invalidRequest)), "\(hosts)")
            }
        }
        try await ClientFixture.with { fixture in
            for host in ["127.0.0.1", "127.1", "127.0.0.2", "localhost"] {
                let answer = await fixture.send(.get("http://\(host):\(server.port)/"))
                #expect(answer.failure != .notSent(.invalidRequest), "\(host)")
            }
        }
    }

    @Test(arguments: [
        ("Content-Length", "3"), ("content-length", "3"), ("Transfer-Encoding", "chunked"), ("Host", "other"),
        ("Connection", "close"), ("Expect", "100-continue"), ("Upgrade", "h2c"), ("", "a"), ("A B", "a"), ("A:", "a"),
        ("A\r\nB", "a"), ("A", "a\r\nB: c"), ("A", "a\nb"), ("A", "a\u{0}b"), ("A", "\u{7f}"),
    ])
    func aFieldThatIsNotAllowedIsNotSent(name: String, value: String) async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            var request = UpstreamRequest.post(server.url(), "nonce")
            request.headers = [.init(name, value)]
            #expect(await fixture.send(request).failure == .notSent(.invalidRequest))
            #expect(server.connections == 0)
        }
    }

    @Test func aProxyIsTunnelledThroughAndGetsNoCredentials() async throws {
        let proxy = try ScriptedServer { peer in
            _ = peer.readHead()
            peer.write("HTTP/1.1 200 Established\r\nX-Proxy: 1\r\n\r\n")
            while peer.readRequest() != nil { peer.answer("through") }
        }
        defer { proxy.stop() }
        var options = TransportOptions()
        options.proxy = SecretText("http://user:word@127.0.0.1:\(proxy.port)")
        options.allowPlainHTTPHosts = ["upstream.test"]
        try await ClientFixture.with(options) { fixture in
            var request = UpstreamRequest.post("http://upstream.test/cards", "nonce-5b1f")
            request.headers = [.init("Authorization", "Bearer key")]
            for _ in 0..<2 {
                let answer = try await fixture.send(request).get()
                #expect(answer.body.revealText() == "through")
                #expect(answer.header("x-proxy") == nil)
            }
            let parts = proxy.received.components(separatedBy: "\r\n\r\n")
            #expect(parts[0].hasPrefix("CONNECT upstream.test:80 HTTP/1.1"))
            #expect(parts[0].contains("Proxy-Authorization: Basic "))
            #expect(!parts[0].contains("Bearer"))
            #expect(parts[1].hasPrefix("POST /cards HTTP/1.1"))
            #expect(!parts[1].contains("Proxy-"))
            #expect(proxy.copies(of: "nonce-5b1f") == 2)
            #expect(proxy.connections == 1)
        }
    }

    @Test(arguments: ["407 Who are you", "502 Bad Gateway"])
    func aProxyThatRefusesGetsNoBody(status: String) async throws {
        let proxy = try ScriptedServer { peer in
            _ = peer.readHead()
            peer.answer(status: status)
        }
        defer { proxy.stop() }
        var options = TransportOptions.loopback
        options.proxy = SecretText("http://127.0.0.1:\(proxy.port)")
        try await ClientFixture.with(options) { fixture in
            for request in [UpstreamRequest.post("http://localhost/cards", "nonce-5b1f"), .get("http://localhost/")] {
                guard case .notSent = await fixture.send(request).failure else {
                    Issue.record("a proxy's refusal was taken for something else")
                    continue
                }
            }
            #expect(proxy.copies(of: "nonce-5b1f") == 0)
        }
    }
}
