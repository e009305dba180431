import HTTPClient
import ProviderKit
import SecretMemory
import Testing

/// HTTP/2, against nginx where it is installed.
@Suite struct HTTP2Tests {
    @Test(.enabled(if: NginxServer.path != nil, "nginx is not installed"))
    func noRequestIsLostWhenTheServerWindsConnectionsUp() async throws {
        let authority = try TestAuthority()
        let server = try NginxServer(
            authority.issue("localhost"), folder: authority.folder, requestsPerConnection: 3)
        defer { server.stop() }
        var options = TransportOptions()
        options.certificateAuthorities = SecretText(try authority.root.certificateText())
        try await ClientFixture.with(options) { fixture in
            // Until it listens.
            let end = ContinuousClock.now + .seconds(10)
            while await fixture.send(.get(server.url)).failure == .notSent(.unreachable), ContinuousClock.now < end {}
            let answers = await withTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        var texts: [String?] = []
                        for _ in 0..<10 { texts.append(await fixture.send(.post(server.url, "nonce")).text) }
                        return texts
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
            #expect(answers.count == 200)
            #expect(answers.allSatisfy { $0 == "HTTP/2.0" })
        }
    }
}
