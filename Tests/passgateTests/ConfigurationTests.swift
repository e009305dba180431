import ConfigurationFile
import Facade
import Gateway
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Testing

@testable import passgate

@Suite("A good configuration becomes values")
struct ConfigurationTests {
    @Test func readsEveryValue() throws {
        let (configuration, problems) = Example.read(Example.yaml)
        #expect(problems.isEmpty)
        let read = try #require(configuration)
        #expect(read.publicURL == "https://passgate.example")
        #expect(read.server.listen == ListenAddress(host: "127.0.0.1", port: 0))
        #expect(read.server.workers == 1)
        #expect(read.store == .sqlite(path: "passgate.db"))
        #expect(read.rootSecrets == [SecretBytes(0..<32)])
        #expect(read.provisioningDeadline == .seconds(15))
        #expect(read.limits.inFlightPerConnection == 12)
        #expect(read.retention.provisionings == 30)
        #expect(read.retention.events == 90)
        #expect(read.allowsPrivateDestinations)
        let main = try #require(read.connections["main"])
        #expect(main.descriptor.id == "increase")
        #expect(main.environment == .live)
        #expect(main.inFlight == 12)
        let rides = try #require(read.programs["rides"])
        #expect(rides.connections == ["main", "spare"])
        #expect(rides.wallets == [.applePay])
        #expect(rides.requiresCardholder)
        #expect(rides.maxAuthenticationAge == 300)
        let key = try #require(read.apiKeys.first)
        #expect(key.digest == AdapterKit.offline.cryptography.sha256([SecretBytes(utf8: Example.key)]))
        #expect(key.scopes == [.cardsWrite, .cardsRead])
        #expect(key.programs == ["rides"])
    }

    @Test func aConnectionKnowsWhenItsFirstCertificateEnds() throws {
        let certificates = ConfigurationProblemTests.certificate
        let yaml = Example.yaml.replacing("\"key_of_main\"", with: "\"key_of_main\", ca: \"\(certificates)\"")
        let read = try #require(Example.read(yaml).configuration)
        #expect(read.connections["main"]?.certificatesEndAt?.rfc3339 == "2126-11-06T12:10:45.000Z")
        #expect(read.connections["spare"]?.certificatesEndAt == nil)
    }

    @Test func fillsInWhatIsLeftOut() throws {
        let (configuration, problems) = Example.read(
            """
            root_secrets: ["000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"]
            connections:
              main: { provider: increase, environment: live, api_key: "k", webhook_secrets: ["w"] }
            programs:
              rides: { connection: main }
            """, folder: "/etc/passgate")
        #expect(problems.isEmpty)
        let read = try #require(configuration)
        #expect(read.publicURL == nil)
        #expect(read.server.listen.description == "127.0.0.1:8080")
        #expect(read.server.workers == nil)
        #expect(read.admin.description == "127.0.0.1:8081")
        #expect(read.store == .sqlite(path: "/etc/passgate/passgate.db"))
        #expect(read.programs["rides"]?.connections == ["main"])
        #expect(read.programs["rides"]?.displayName == "rides")
        #expect(read.programs["rides"]?.wallets == [.applePay, .googlePay])
        #expect(read.apiKeys.isEmpty)
        #expect(read.limits == Configuration.Limits())
    }

    @Test(arguments: [
        "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
    ])
    func takesARootSecretInHexOrBase64(digits: String) throws {
        let old = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        let read = try #require(Example.read(Example.yaml(old, digits)).configuration)
        #expect(read.rootSecrets == [SecretBytes(0..<32)])
    }

    @Test func takesAKeyByItsDigest() throws {
        let digest = String(repeating: "0f", count: 32)
        let read = try #require(
            Example.read(Example.yaml("key: \"\(Example.key)\"", "key_sha256: \(digest)")).configuration)
        #expect(read.apiKeys.first?.digest == [UInt8](repeating: 15, count: 32))
    }

    @Test func letsAWarningStand() throws {
        let (configuration, problems) = Example.read(
            Example.yaml("admin: { listen: \"127.0.0.1:0\" }", "admin: { listen: \"0.0.0.0:8081\" }"))
        #expect(configuration != nil)
        #expect(problems.map(\.problem.keyPath) == ["admin.listen"])
        #expect(problems.map(\.problem.severity) == [.warning])
    }

    @Test func warnsOfAKeyThatCannotHoldEnoughRandomBytes() {
        let (configuration, problems) = Example.read(
            Example.yaml(Example.key, "pgk_0123456789abcdef0123456789abcdef"))
        #expect(configuration != nil)
        #expect(problems.map(\.problem.keyPath) == ["api_keys[0].key"])
        #expect(problems.map(\.problem.severity) == [.warning])
    }

    @Test func showsNoSecret() throws {
        let read = try #require(Example.read(Example.yaml).configuration)
        #expect(!"\(read)".contains("key_of_main"))
        #expect(!"\(read)".contains(Example.key))
    }
}
