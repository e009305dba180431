import HTTPClient
import ProviderKit
import RawSockets
import SecretMemory
import Testing

/// Which addresses a request may reach, whatever its URL says.
@Suite struct AddressPolicyTests {
    private static var guarded: TransportOptions {
        var options = TransportOptions.loopback
        options.allowedAddresses = [.global]
        return options
    }

    @Test func aNameThatLeadsToThisMachineIsRefusedWhenItIsConnectedTo() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        try await ClientFixture.with(Self.guarded) { fixture in
            for scheme in ["http", "https"] {
                let answer = await fixture.send(.post("\(scheme)://localhost:\(server.port)/hook", "{}"))
                #expect(answer.failure == .notSent(.forbiddenAddress), "\(scheme)")
            }
            let plain = fixture.client.transport(.loopback)
            #expect(await plain.result(of: .post("http://localhost:\(server.port)/hook", "{}")).status == 200)
        }
        #expect(server.connections == 1)
    }

    @Test func aConnectionThatAnotherTransportMadeIsNotUsed() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        try await ClientFixture.with { fixture in
            let url = "http://localhost:\(server.port)/hook"
            #expect(await fixture.send(.post(url, "{\"first\":1}")).status == 200)
            let guarded = fixture.client.transport(Self.guarded)
            let answer = await guarded.result(of: .post(url, "{\"second\":2}"))
            #expect(answer.failure == .notSent(.forbiddenAddress))
            #expect(await fixture.send(.post(url, "{\"third\":3}")).status == 200)
        }
        #expect(server.copies(of: "second") == 0)
        #expect(server.copies(of: "POST ") == 2)
    }

    @Test func anAddressThatIsAllowedIsReached() async throws {
        let server = try ScriptedServer { peer in while peer.readRequest() != nil { peer.answer() } }
        defer { server.stop() }
        var options = TransportOptions.loopback
        options.allowedAddresses = [.global, .loopback]
        try await ClientFixture.with(options) { fixture in
            for host in ["127.0.0.1", "localhost"] {
                #expect(await fixture.send(.post("http://\(host):\(server.port)/", "{}")).status == 200, "\(host)")
            }
        }
    }

    @Test(arguments: [
        "https://127.0.0.1/", "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data",
        "https://169.254.169.254./",
        "https://10.0.0.1./", "https://[::1]/",
        "https://[::ffff:10.0.0.1]/", "https://[fd00::1]/", "https://0.0.0.0/", "https://2130706433/",
        "https://0x7f.1/", "https://017700000001/", "https://127.1/", "https://224.0.0.1/", "https://localhost/",
        "https://localhost./", "https://a.localhost/", "https://LOCALHOST/", "http://example.com/",
        "http://93.184.216.34/", "https://user@example.com/", "https://user:word@example.com/",
        "https://example.com/#part", "ftp://example.com/", "example.com", "https://", "https:///example.com",
        "https://exa mple.com/", "",
    ])
    func aURLThatTellsItselfIsRefused(_ url: String) async throws {
        var options = TransportOptions()
        options.allowedAddresses = [.global]
        #expect(!options.accepts(url: url))
    }

    @Test(arguments: [
        "https://example.com/", "https://example.com", "https://example.com:8443/hook?a=b", "https://93.184.216.34/",
        "https://[2606:4700::1111]/hook", "https://EXAMPLE.com/",
    ])
    func aPublicURLIsAccepted(_ url: String) {
        var options = TransportOptions()
        options.allowedAddresses = [.global]
        #expect(options.accepts(url: url))
    }

    @Test(arguments: [
        ("https://10.0.0.1/", true), ("https://127.0.0.1/", true), ("http://10.0.0.1:8080/", true),
        ("http://192.168.0.1/", true), ("http://[fd00::1]/", true), ("http://127.0.0.1/", true),
        ("http://localhost:9/", true), ("http://[::1]/", true), ("https://localhost/", true),
        ("http://example.com/", false), ("http://93.184.216.34/", false), ("http://169.254.169.254/", false),
        ("https://169.254.169.254/", false), ("https://0.0.0.0/", false), ("https://224.0.0.1/", false),
    ])
    func ownNetworksCanBeAllowed(_ url: String, _ isAccepted: Bool) {
        var options = TransportOptions()
        options.allowedAddresses = [.global, .private, .loopback]
        options.allowPlainHTTPToLoopback = true
        options.allowPlainHTTPToPrivateAddresses = true
        #expect(options.accepts(url: url) == isAccepted)
    }
}
