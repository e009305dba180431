import Crypto
import EventLoop
import Facade
import FoundationEssentials
import Gateway
import JSON
import ProviderKit
import ProviderTesting
import Provisioning
import SecretMemory
import Storage

/// A gateway whose store is closed. Everything is read and judged up to where the store is asked; nothing is kept, so the
/// same request is always answered alike.
struct ClosedGateway: Sendable {
    static let key = "pgk_everything-invented-for-fuzzing-0000000"
    static let program = "rides"
    /// How many bytes a body or a line may have.
    static let limit = 65_536

    let gateway: Gateway
    let facade: Facade
    let cryptography = OpenSSLCryptography()

    init() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let clock = AdapterBench.clock
        let store = try SQLiteStore(
            path: folder.appending(path: "store.db").path, audit: AuditChain { _ in [UInt8](repeating: 1, count: 32) },
            now: { clock.now })
        await store.close()
        try FileManager.default.removeItem(at: folder)

        let cryptography = cryptography
        gateway = Gateway(
            directory: try Self.directory(), store: store, keys: try KeyRing([SecretBytes(Array(1...32))]),
            clock: clock, random: { cryptography.random($0) }, instance: "fuzz", report: { _ in })
        let digest = cryptography.sha256([SecretBytes(utf8: Self.key)])
        facade = Facade(
            gateway: gateway,
            keys: [APIKey(name: "fuzz", digest: digest, scopes: Set(Scope.allCases), programs: [Self.program])],
            cryptography: cryptography, json: JSONParser(), clock: clock, bodyLimit: Self.limit, log: { _ in })
    }

    private static func directory() throws -> Directory {
        let adapters = try AdapterBench().adapters(over: OneReply())
        let connections = adapters.map { name, adapter in
            Connection(
                name: name, environment: .test, descriptor: type(of: adapter).descriptor, provider: adapter)
        }
        let program = Program(
            name: program, connection: "increase", connections: adapters.keys.sorted(), displayName: "Rides card",
            wallets: [.applePay, .googlePay])
        return Directory(
            connections: Dictionary(uniqueKeysWithValues: connections.map { ($0.name, $0) }),
            programs: [program.name: program], providers: adapters.values.map { type(of: $0) },
            publicURL: "https://passgate.example",
            courier: EventCourier(accepts: { $0.hasPrefix("https://") }, transport: OneReply()))
    }
}
