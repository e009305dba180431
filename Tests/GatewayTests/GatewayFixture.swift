import Crypto
import EventLoop
import FoundationEssentials
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Synchronization

@testable import Gateway

/// A gateway over a real store in a folder of its own, with a scripted provider and a clock that tests move.
final class GatewayFixture: Sendable {
    private static let rootSecret = "an-invented-root-secret-of-32-bytes!"

    let clock = MovableClock()
    let provider = ScriptedProvider()
    let store: SQLiteStore
    let gateway: Gateway
    private let folder: URL
    private let loop = EventLoop(name: "gateway-test")

    init(
        requiresCardholder: Bool = true, wallets: [Wallet] = [.applePay, .googlePay], attemptsPerMinute: Int = 10,
        inFlight: Int = 256, owner: OwningProvider? = nil, others: [Connection] = []
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "passgate-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let clock = clock
        store = try Self.store(in: folder, clock: clock)
        let connection = Connection(
            name: "scripted_main", environment: .test, descriptor: ScriptedProvider.descriptor, provider: provider,
            inFlight: inFlight)
        var connections = ["scripted_main": connection]
        if let owner {
            connections["owner_main"] = Connection(
                name: "owner_main", environment: .test, descriptor: OwningProvider.descriptor, provider: owner,
                inFlight: inFlight)
        }
        for other in others { connections[other.name] = other }
        let program = Program(
            name: "rides", connection: "scripted_main", connections: connections.keys.sorted(),
            displayName: "Rides Card",
            wallets: wallets, requiresCardholder: requiresCardholder)
        gateway = Gateway(
            directory: Directory(
                connections: connections, programs: ["rides": program],
                providers: [ScriptedProvider.self], publicURL: "https://passgate.example",
                provisioningsPerCardPerMinute: attemptsPerMinute),
            store: store, keys: try KeyRing([SecretBytes(utf8: Self.rootSecret)]), clock: clock,
            random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }, instance: "test",
            report: { _ in })
        loop.start()
    }

    deinit {
        loop.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func store(in folder: URL, clock: MovableClock) throws -> SQLiteStore {
        try SQLiteStore(
            path: folder.appending(path: "store.db").path, audit: AuditChain { _ in [UInt8](repeating: 0, count: 32) },
            now: { clock.now })
    }

    /// The same file, as another process has it.
    func storeOfAnotherProcess() throws -> SQLiteStore { try Self.store(in: folder, clock: clock) }

    /// The gateway as it is after its root secret was replaced, and before the former one is forgotten.
    func withAnotherRootSecret() throws -> Gateway {
        let secrets = ["another-invented-root-secret-of-40-bytes", Self.rootSecret]
        return Gateway(
            directory: gateway.directory, store: store, keys: try KeyRing(secrets.map { SecretBytes(utf8: $0) }),
            clock: clock, random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }, instance: "later",
            report: { _ in })
    }

    /// A gateway on the same file, as in another process; of a configuration without a connection, where one is named.
    func gatewayOfAnotherProcess(on store: SQLiteStore, without connection: String? = nil) throws -> Gateway {
        var directory = gateway.directory
        if let connection { directory.connections[connection] = nil }
        return Gateway(
            directory: directory, store: store, keys: try KeyRing([SecretBytes(utf8: Self.rootSecret)]),
            clock: clock, random: { count in (0..<count).map { _ in UInt8.random(in: 0...255) } }, instance: "other",
            report: { _ in })
    }

    /// Registers the card that ``command(nonce:)`` is about.
    func registerCard(_ id: String = "card-0001", providerCardID: String = "card_abc") async throws {
        _ = try await gateway.putCard(
            CardDraft(
                key: CardKey(program: "rides", id: id),
                binding: CardBinding(
                    connection: "scripted_main", providerCardID: providerCardID, last4: "4242", network: .visa),
                cardholderID: "holder-1", cardholderName: "Ada Example", title: nil, artURL: nil, metadata: nil,
                at: clock.now),
            actor: AuditActor(name: "test"))
    }

    /// A request that is right in every way.
    func command(nonce: [UInt8] = [1, 2, 3, 4, 5, 6], card: String = "card-0001") throws -> ProvisionCommand {
        var command = ProvisionCommand(card: CardKey(program: "rides", id: card), wallet: .applePay)
        command.cardholder = .init(id: "holder-1", authenticatedAt: clock.now)
        command.applePay = .init(
            certificates: try TestCertificates.shared.get().chain.map { SecretText(Base64.encode($0)) },
            nonce: SecretText(Base64.encode(nonce)), nonceSignature: SecretText(Base64.encode([9, 9, 9])),
            encoding: "base64")
        return command
    }

    /// A request for Google Pay in app, which may be repeated.
    func googleCommand() -> ProvisionCommand {
        var command = ProvisionCommand(card: CardKey(program: "rides", id: "card-0001"), wallet: .googlePay)
        command.cardholder = .init(id: "holder-1", authenticatedAt: clock.now)
        command.googlePay = GooglePayHandshake(
            walletID: SecretText("wallet-1"), deviceID: SecretText("device-1"), serverSessionID: nil)
        return command
    }

    /// Provisions on the loop, and writes the answer.
    func provision(_ command: ProvisionCommand, written: Bool = true) async throws -> StoredProvisioning {
        let result = try await reachHandoff(command)
        result.delivered(written)
        return try await gateway.provisioning(result.record.id, program: "rides")
    }

    /// Provisions on the loop, up to the answer that is still to be written.
    func reachHandoff(_ command: ProvisionCommand) async throws -> ProvisionResult {
        let gateway = gateway
        return try await loop.on { () async throws -> ProvisionResult in try await gateway.provision(command) }
    }

    /// The problem that a request to another gateway ends in; nil where it succeeds.
    func problem(_ command: ProvisionCommand, at gateway: Gateway) async -> Problem? {
        do {
            _ = try await loop.on { () async throws -> ProvisionResult in try await gateway.provision(command) }
            return nil
        } catch {
            return error as? Problem
        }
    }

    /// The problem that a request ends in; nil where it succeeds.
    func problem(_ command: ProvisionCommand) async -> Problem? {
        do {
            _ = try await provision(command)
            return nil
        } catch {
            return error as? Problem
        }
    }
}

extension AuditActor {
    /// Who changes things in tests.
    static let test = AuditActor(name: "test")
}

/// A clock that stands still until it is moved.
final class MovableClock: WallClock {
    private let moment = Mutex(Timestamp(milliseconds: 1_800_000_000_000))

    var now: Timestamp { moment.withLock { $0 } }

    func advance(milliseconds: Int64) { moment.withLock { $0 = $0.adding(milliseconds: milliseconds) } }
}

/// Answers as it is told, call by call; a call beyond the script succeeds.
final class ScriptedProvider: ProvisioningProvider {
    static let descriptor = ProviderDescriptor(
        id: "scripted", displayName: "Scripted",
        cardIDPattern: .prefixed(["card_"], .lowercaseAlphanumeric, length: 1...32), tokenFeed: .none,
        wallets: [
            WalletSupport(
                wallet: .applePay, channel: .inApp, handoff: .applePayPass, handshake: .applePay, repeatRule: .never,
                isSingleUse: true),
            WalletSupport(
                wallet: .googlePay, channel: .inApp, handoff: .googlePayOpaqueCard, handshake: .googlePayDevice,
                repeatRule: .onceWithoutSession, isSingleUse: true),
        ])

    private struct State {
        var failures: [ProvisioningError] = []
        var requests: [ProvisioningRequest] = []
        var eligibility: Result<Eligibility, ProvisioningError> = .success(Eligibility(eligible: true))
        var offers = descriptor.wallets
    }
    private let state = Mutex(State())
    /// What it says of tokens.
    let tokens = ScriptedTokens()

    var requests: [ProvisioningRequest] { state.withLock { $0.requests } }

    var offers: [WalletSupport] { state.withLock { $0.offers } }

    /// Turns a wallet off, as a connection's settings do.
    func turnOff(_ wallet: Wallet) { state.withLock { $0.offers.removeAll { $0.wallet == wallet } } }

    func fail(with failures: ProvisioningError...) { state.withLock { $0.failures = failures } }

    func answerEligibility(_ result: Result<Eligibility, ProvisioningError>) {
        state.withLock { $0.eligibility = result }
    }

    func provision(_ request: ProvisioningRequest) async throws(ProvisioningError) -> Handoff {
        let failure = state.withLock { state in
            state.requests.append(request)
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        if let failure { throw failure }
        if request.wallet == .googlePay {
            return .googlePayOpaqueCard(
                GooglePayOpaqueCard(
                    tokenCard: SecretText("opaque-canary"), accountCard: nil, network: .number(4),
                    tokenServiceProvider: .number(4), last4: request.card.last4, displayName: request.displayName))
        }
        return .applePayPass(
            ApplePayPass(
                activationData: SecretBytes(utf8: "activation-canary"),
                encryptedPassData: SecretBytes(utf8: "pass-canary"),
                key: .ephemeralPublicKey(SecretBytes(utf8: "key-canary")), encryptionVersion: "EV_ECC_v2"))
    }

    func eligibility(of card: CardBinding, wallet: Wallet, deadline: ContinuousClock.Instant)
        async throws(ProvisioningError) -> Eligibility
    {
        try state.withLock { $0.eligibility }.get()
    }
}

/// A chain as PassKit gives it: made once, of invented keys.
struct TestCertificates: Sendable {
    static let shared = Result { try TestCertificates() }

    let root: [UInt8]
    let intermediate: [UInt8]
    let leaf: [UInt8]
    let expiredLeaf: [UInt8]
    let strangerLeaf: [UInt8]

    var chain: [[UInt8]] { [leaf, intermediate] }

    private init() throws {
        let (start, end) = (Timestamp(milliseconds: 1_700_000_000_000), Timestamp(milliseconds: 1_900_000_000_000))
        let root = try CertificateAuthority.root(named: "Test Root", from: start, until: end)
        let issuing = try root.intermediate(named: "Test Issuing", from: start, until: end)
        let stranger = try root.intermediate(named: "Other Issuing", from: start, until: end)
        let key = try P256PrivateKey()
        self.root = root.certificate.der
        intermediate = issuing.certificate.der
        leaf = try issuing.issue(to: "Test Device", key: key.publicKey, from: start, until: end).der
        expiredLeaf =
            try issuing.issue(
                to: "Old Device", key: key.publicKey, from: start, until: Timestamp(milliseconds: 1_700_000_001_000)
            ).der
        strangerLeaf = try stranger.issue(to: "Stray Device", key: key.publicKey, from: start, until: end).der
    }
}
