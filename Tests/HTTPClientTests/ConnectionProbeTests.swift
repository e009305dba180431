import Foundation
import HTTPClient
import RawSockets
import SecretMemory
import Testing

@Suite("What keeps a connection from being made is told apart", .serialized)
struct ConnectionProbeTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func options(_ authority: TestAuthority? = nil) throws -> TransportOptions {
        var options = TransportOptions()
        options.certificateAuthorities = SecretText(try (authority ?? self.authority).root.certificateText())
        return options
    }

    private func probe(
        _ identity: TestAuthority.Identity, _ serverOptions: [String] = [], _ options: TransportOptions,
        url: ((TLSServer) -> String)? = nil
    ) throws -> ConnectionProbe.Finding {
        let server = try TLSServer(identity, serverOptions)
        defer { server.stop() }
        return ConnectionProbe.connect(to: url?(server) ?? server.url, options: options, within: .seconds(10))
    }

    @Test func aCertificateThatIsTrustedIsShown() throws {
        let found = try probe(authority.issue("localhost"), [], options())
        guard case .connected(let certificate?) = found else {
            Issue.record("\(found)")
            return
        }
        #expect(certificate.hasPrefix("-----BEGIN CERTIFICATE-----"))
    }

    @Test func whyACertificateIsNotTrustedIsTold() throws {
        let ours = try authority.issue("localhost")
        #expect(try probe(ours, [], options(TestAuthority())) == .tls(.unknownAuthority))
        #expect(try probe(ours, [], TransportOptions()) == .tls(.unknownAuthority))
        #expect(try probe(authority.root, [], TransportOptions()) == .tls(.unknownAuthority))
        #expect(try probe(authority.issue("other.test"), [], options()) == .tls(.wrongHost))
        #expect(try probe(ours, [], options()) { "https://127.0.0.1:\($0.port)/" } == .tls(.wrongHost))
        #expect(try probe(authority.issue("localhost", days: -1), [], options()) == .tls(.expired))
    }

    @Test func whoSpeaksNoTLSThatIsSafeIsTold() throws {
        let old = try probe(authority.issue("localhost"), ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"], options())
        #expect(old == .tls(.handshake))
    }

    @Test func aNameThatDoesNotResolveIsTold() {
        let url = "https://\(String(repeating: "x", count: 64)).invalid/"
        #expect(ConnectionProbe.connect(to: url, options: .init(), within: .seconds(10)) == .unresolved)
    }

    @Test func aPortWhereNobodyListensIsTold() {
        let found = ConnectionProbe.connect(to: "https://127.0.0.1:1/", options: .init(), within: .seconds(10))
        #expect(found == .refused)
    }

    /// The kernel takes the connection, and nobody ever speaks.
    @Test func whoSaysNothingIsTold() throws {
        let silent = try ScriptedServer { $0.waitForEnd() }
        defer { silent.stop() }
        let url = "https://127.0.0.1:\(silent.port)/"
        #expect(ConnectionProbe.connect(to: url, options: .init(), within: .milliseconds(300)) == .timedOut)
    }
}
