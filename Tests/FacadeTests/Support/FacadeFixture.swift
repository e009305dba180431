import Crypto
import EventLoop
import Facade
import FoundationEssentials
import Gateway
import HTTPServer
import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Storage
import Synchronization

/// A facade over a real gateway and a real store, with a scripted provider behind it, on a loop of its own.
final class FacadeFixture: Sendable {
    static let everything = "pgk_everything-in-rides-000000000000000"
    static let bothPrograms = "pgk_everything-in-both-0000000000000000"

    let facade: Facade
    let adminFacade: AdminFacade
    /// Seals the console's sessions.
    let ring: KeyRing
    let gateway: Gateway
    let provider = ScriptedProvider()
    let credentialProvider = CredentialProvider()
    let tokenProvider = TokenProvider()
    let cryptography = OpenSSLCryptography()
    private let loop = EventLoop(name: "facade-test")
    private let folder: URL
    let store: SQLiteStore
    private let lines: LogLines

    /// What was logged.
    var log: [RequestLog] { lines.all }

    private final class LogLines: Sendable {
        private let lines = Mutex<[RequestLog]>([])
        var all: [RequestLog] { lines.withLock { $0 } }
        func append(_ line: RequestLog) { lines.withLock { $0.append(line) } }
    }

    /// Runs a test with a fixture, and clears it away.
    static func run(
        keys: [APIKey] = [], keyStore: (any APIKeyStore)? = nil, _ test: (FacadeFixture) async throws -> Void
    ) async throws {
        let fixture = try FacadeFixture(keys: keys, keyStore: keyStore)
        fixture.loop.start()
        defer { fixture.close() }
        try await test(fixture)
    }

    private init(keys: [APIKey], keyStore: (any APIKeyStore)?) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "facade-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let clock = FixedClock()
        let cryptography = cryptography
        store = try SQLiteStore(
            path: folder.appending(path: "store.db").path, audit: AuditChain { _ in [UInt8](repeating: 1, count: 32) },
            now: { clock.now })
        let lines = LogLines()
        self.lines = lines
        ring = try KeyRing([SecretBytes(Array(1...32))])
        gateway = Gateway(
            directory: Self.directory(provider, credentialProvider, tokenProvider), store: store,
            keys: ring,
            clock: clock,
            random: { cryptography.random($0) }, instance: "test", report: { _ in })
        facade = Facade(
            gateway: gateway, keys: keys + Self.keys(cryptography), keyStore: keyStore ?? store,
            cryptography: cryptography, json: JSONParser(),
            clock: clock, bodyLimit: 4096, log: { lines.append($0) })
        adminFacade = AdminFacade(facade: facade, keys: ring, meter: StoreMeter(), version: "1.2.3")
    }

    private func close() {
        loop.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Opens a migration, as the store has it.
    func open(_ migration: StoredMigration) async throws {
        _ = try await store.open(migration, listing: [], audit: AuditActor(name: "test"))
    }

    /// Has a shadow find something.
    func found(_ findings: [ShadowFinding: Int]) async throws { try await store.add(findings) }

    private static func directory(
        _ provider: ScriptedProvider, _ credentials: CredentialProvider, _ tokens: TokenProvider
    )
        -> Directory
    {
        let connection = Connection(
            name: "main", environment: .test, descriptor: ScriptedProvider.descriptor, provider: provider,
            certificatesEndAt: Timestamp(milliseconds: 2_000_000_000_000))
        let sdk = Connection(
            name: "sdk", environment: .test, descriptor: CredentialProvider.descriptor, provider: credentials)
        let token = Connection(
            name: "token", environment: .test, descriptor: TokenProvider.descriptor, provider: tokens)
        let programs = ["rides", "travel"].map { name in
            Program(
                name: name, connection: "main", connections: ["main", "sdk", "token"], displayName: "\(name) card",
                wallets: [.applePay, .googlePay], requiresCardholder: false)
        }
        return Directory(
            connections: ["main": connection, "sdk": sdk, "token": token],
            programs: Dictionary(uniqueKeysWithValues: programs.map { ($0.name, $0) }),
            providers: [ScriptedProvider.self], publicURL: "https://passgate.example/",
            courier: EventCourier(
                accepts: { $0.hasPrefix("https://") }, transport: ScriptedTransport { _ in .answer(200, "") }))
    }

    private static func keys(_ cryptography: OpenSSLCryptography) -> [APIKey] {
        [
            key(everything, named: "backend", programs: ["rides"], cryptography),
            key(bothPrograms, named: "operator", programs: nil, cryptography),
        ]
    }

    /// A key of that text.
    static func key(
        _ text: String, named name: String, scopes: Set<Scope> = Set(Scope.allCases), programs: Set<String>?,
        _ cryptography: OpenSSLCryptography = OpenSSLCryptography()
    ) -> APIKey {
        APIKey(
            name: name, digest: cryptography.sha256([SecretBytes(utf8: text)]), scopes: scopes, programs: programs)
    }

    /// Sends a request as the server would, and tells the facade that its answer was written.
    func send(
        _ method: String, _ target: String, key: String? = everything, headers: [(name: String, value: String)] = [],
        body: String? = nil, delivery: HTTPResponse.Delivery = .written
    ) async -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var fields = headers
        if let key { fields.append((name: "authorization", value: "Bearer \(key)")) }
        if body != nil, !headers.contains(where: { $0.name == "content-type" }) {
            fields.append((name: "content-type", value: "application/json"))
        }
        let request = HTTPRequest(
            method: method, path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: fields,
            body: SecretBytes(utf8: body ?? ""))
        return await loop.run { [facade] in
            let response = await facade.respond(to: request)
            response.onDelivery?(delivery)
            return Answer(response)
        }.value
    }

    /// Sends a request to the admin listener, as the server would.
    func admin(
        _ method: String, _ target: String, headers: [(name: String, value: String)] = [], body: String = "",
        from address: String = "127.0.0.1"
    ) async -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let request = HTTPRequest(
            method: method, path: parts[0], query: parts.count > 1 ? parts[1] : "", headers: headers,
            body: SecretBytes(utf8: body), remoteAddress: address)
        return await loop.run { [adminFacade] in
            let response = await adminFacade.respond(to: request)
            response.onDelivery?(.written)
            return Answer(response)
        }.value
    }

    /// Sends a body that is read piece by piece, as the server would: after the facade has said so.
    func stream(
        _ target: String, _ pieces: [[UInt8]], key: String? = everything, type: String = "application/x-ndjson",
        isCut: Bool = false
    ) async -> Answer {
        var fields = [(name: "content-type", value: type), (name: "transfer-encoding", value: "chunked")]
        if let key { fields.append((name: "authorization", value: "Bearer \(key)")) }
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let query = parts.count > 1 ? parts[1] : ""
        let head = HTTPRequest(method: "POST", path: parts[0], query: query, headers: fields)
        switch facade.bodyPolicy(for: head) {
        case .refuse(let response): return Answer(response)
        case .collect: return Answer(HTTPResponse(status: 599))
        case .stream: break
        }
        let rest = Mutex(pieces)
        let stream = HTTPBodyStream { () throws(HTTPBodyError) in
            let piece = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if piece == nil, isCut { throw .interrupted }
            return piece.map { SecretBytes($0) }
        }
        let request = HTTPRequest(
            method: "POST", path: parts[0], query: query, headers: fields, bodyStream: stream)
        return await loop.run { [facade] in
            let response = await facade.respond(to: request)
            response.onDelivery?(.written)
            return Answer(response)
        }.value
    }

    /// A card that is there.
    func makeCard(
        _ id: String, program: String = "rides", providerCard: String? = nil, connection: String = "main"
    ) async -> Answer {
        await send(
            "PUT", "/v1/cards/\(id)", key: Self.bothPrograms, headers: [(name: "passgate-program", value: program)],
            body: """
                {"binding": {"connection": "\(connection)", "provider_card_id": "\(providerCard ?? "card_\(program)\(id)")",
                 "last4": "4242", "network": "visa"}, "cardholder": {"id": "ch_\(id)", "name": "Ada Lovelace"}}
                """)
    }
}
