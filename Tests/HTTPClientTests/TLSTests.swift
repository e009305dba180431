import Foundation
import HTTPClient
import ProviderKit
import SecretMemory
import Testing

/// Whom the client trusts, and how it shows who it is.
@Suite(.serialized) struct TLSTests {
    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    private func options() throws -> TransportOptions {
        var options = TransportOptions()
        options.certificateAuthorities = SecretText(try authority.root.certificateText())
        return options
    }

    private func outcome(
        _ identity: TestAuthority.Identity, _ serverOptions: [String] = [], options: TransportOptions,
        url: ((TLSServer) -> String)? = nil
    ) async throws -> Result<UpstreamResponse, TransportFailure> {
        let server = try TLSServer(identity, serverOptions)
        defer { server.stop() }
        return try await ClientFixture.with(options) { await $0.send(.get(url?(server) ?? server.url)) }
    }

    @Test func aCertificateOfItsAuthorityIsTrusted() async throws {
        let answer = try await outcome(authority.issue("localhost"), options: options())
        #expect(answer.status == 200)
    }

    @Test func aPostTravelsOnceOverTLS() async throws {
        let server = try TLSServer(authority.issue("localhost"), isScripted: true)
        defer { server.stop() }
        server.answer("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok", after: "nonce-5b1f")
        try await ClientFixture.with(options()) { fixture in
            let answer = await fixture.send(.post(server.url, "nonce-5b1f"))
            #expect(answer.status == 201)
            #expect(answer.text == "ok")
            #expect(server.printed.components(separatedBy: "nonce-5b1f").count == 2)
        }
    }

    @Test func anUnknownAuthorityIsRefused() async throws {
        let identity = try authority.issue("localhost")
        // The system's authorities do not know ours, nor does another one of the same name.
        #expect(try await outcome(identity, options: .init()).failure == .notSent(.tls))
        var others = TransportOptions()
        let otherAuthority = try TestAuthority()
        others.certificateAuthorities = SecretText(try otherAuthority.root.certificateText())
        #expect(try await outcome(identity, options: others).failure == .notSent(.tls))
    }

    @Test func aSelfSignedCertificateIsRefused() async throws {
        #expect(try await outcome(authority.root, options: .init()).failure == .notSent(.tls))
    }

    @Test func anotherNameIsRefused() async throws {
        let other = try authority.issue("other.test")
        #expect(try await outcome(other, options: options()).failure == .notSent(.tls))
        let ours = try authority.issue("localhost")
        let byAddress = try await outcome(ours, options: options()) { "https://127.0.0.1:\($0.port)/" }
        #expect(byAddress.failure == .notSent(.tls))
    }

    @Test func anExpiredCertificateIsRefused() async throws {
        let expired = try authority.issue("localhost", days: -1)
        #expect(try await outcome(expired, options: options()).failure == .notSent(.tls))
    }

    @Test(arguments: [("-tls1_2", 200), ("-tls1_3", 200), ("-tls1_1", nil), ("-tls1", nil)])
    func onlyTLS12AndLaterIsSpoken(version: String, status: Int?) async throws {
        let answer = try await outcome(
            authority.issue("localhost"), [version, "-cipher", "DEFAULT@SECLEVEL=0"], options: options())
        #expect(answer.status == status)
        #expect(answer.failure == (status == nil ? .notSent(.tls) : nil))
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func aClientCertificateIsShown(version: String) async throws {
        let demands = [version, "-Verify", "1", "-verify_return_error", "-CAfile", authority.root.certificate]
        let server = try authority.issue("localhost")
        let client = try authority.issue("gateway")
        var options = try options()
        options.clientCertificate = SecretText(try client.certificateText())
        options.clientKey = SecretText(try client.keyText())
        #expect(try await outcome(server, demands, options: options).status == 200)
    }

    @Test func withoutTheClientCertificateThatIsDemandedNothingIsAnswered() async throws {
        let demands = ["-Verify", "1", "-verify_return_error", "-CAfile", authority.root.certificate]
        let server = try authority.issue("localhost")
        let otherAuthority = try TestAuthority()
        let stranger = try otherAuthority.issue("gateway")
        var strange = try options()
        strange.clientCertificate = SecretText(try stranger.certificateText())
        strange.clientKey = SecretText(try stranger.keyText())
        for options in [try options(), strange] {
            #expect(try await outcome(server, ["-tls1_2"] + demands, options: options).failure == .notSent(.tls))
            // In TLS 1.3 the refusal follows the client's first bytes: it cannot be known that they were not read.
            let later = try await outcome(server, ["-tls1_3"] + demands, options: options)
            #expect(later.failure == .outcomeUnknown(.broken))
        }
    }

    @Test func aClientKeyThatCannotBeUsedIsNotSent() async throws {
        let server = try authority.issue("localhost")
        let client = try authority.issue("gateway")
        let keys = [
            "", "no key", try authority.issue("other").keyText(), try authority.encrypted(client).keyText(),
        ]
        for key in keys {
            var options = try options()
            options.clientCertificate = SecretText(try client.certificateText())
            options.clientKey = SecretText(key)
            #expect(try await outcome(server, options: options).failure == .notSent(.tls))
        }
    }

    @Test func authoritiesThatCannotBeReadTrustNobody() async throws {
        for text in ["", "no certificate"] {
            var options = TransportOptions()
            options.certificateAuthorities = SecretText(text)
            #expect(try await outcome(authority.issue("localhost"), options: options).failure == .notSent(.tls))
        }
    }

    @Test func aConnectionIsUsedOnlyByWhoMayHaveMadeIt() async throws {
        let demands = ["-Verify", "1", "-verify_return_error", "-CAfile", authority.root.certificate]
        let server = try TLSServer(authority.issue("localhost"), isScripted: true, demands)
        defer { server.stop() }
        server.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", after: "nonce-first")
        let client = try authority.issue("gateway")
        var known = try options()
        known.clientCertificate = SecretText(try client.certificateText())
        known.clientKey = SecretText(try client.keyText())
        try await ClientFixture.with(known) { fixture in
            #expect(await fixture.send(.post(server.url, "nonce-first")).status == 200)
            // The server takes one connection at a time, and the first one is kept. Who is not known to it, or does
            // not trust it, must not get onto that one.
            for options in [try options(), TransportOptions()] {
                let stranger = fixture.client.transport(options)
                let second = await stranger.result(
                    of: .post(server.url, "nonce-second", within: .milliseconds(200)))
                #expect(second.failure == .notSent(.deadline))
            }
            // Whoever has the same options may.
            let same = fixture.client.transport(known)
            server.answer("HTTP/1.1 204 OK\r\n\r\n", after: "nonce-third")
            #expect(await same.result(of: .post(server.url, "nonce-third")).status == 204)
            #expect(!server.printed.contains("nonce-second"))
        }
    }
}
