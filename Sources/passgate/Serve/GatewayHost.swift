import Crypto
import EventLoop
import Facade
import Gateway
import HTTPClient
import HTTPServer
import JSON
import ProviderKit
import Provisioning
import SecretMemory
import Storage
import Synchronization

/// The gateway as it runs: store, use cases, facade and listeners, put together.
final class GatewayHost: Sendable {
    /// The use cases, as they were in force at the start.
    let gateway: Gateway
    private let inForce: Mutex<Gateway>
    private let configuration: Mutex<Configuration>
    private let generatedKey: APIKey?
    private let store: any GatewayStore
    private let facade: Facade
    private let server: HTTPServer
    private let admin: HTTPServer
    private let log: ServeLog
    private let client: HTTPClient

    /// Opens the store and listens. Requests are served when it returns.
    ///
    /// - Parameter generatedKey: A key that stands beside those of the configuration.
    /// - Throws: ``Unavailable`` where the store or a port cannot be had.
    init(_ configuration: Configuration, generatedKey: APIKey?, workers: Workers, log: ServeLog)
        async throws(Unavailable)
    {
        let cryptography = OpenSSLCryptography()
        let keys = try configuration.keyRing()
        let meter = StoreMeter()
        let store = try await configuration.openStore(keys, meter: meter)
        self.store = store
        let clock = StoreClock(base: SystemClock()) { store.clockOffset }
        gateway = Gateway(
            directory: configuration.directory(publicURL: configuration.publicURL ?? "", client: workers.client),
            store: store, keys: keys, clock: clock, random: { cryptography.random($0) },
            instance: Self.hex(cryptography.random(8)),
            report: { log.trouble($0) }, announce: { log.guardStopped($0) })
        inForce = Mutex(gateway)
        let facade = Facade(
            gateway: gateway, keys: configuration.apiKeys + (generatedKey.map { [$0] } ?? []), keyStore: store,
            cryptography: cryptography, json: JSONParser(), clock: clock, bodyLimit: configuration.limits.bodyBytes,
            log: { log.request($0) })
        self.facade = facade
        server = HTTPServer(
            configuration: configuration.server.listen.serverConfiguration(configuration.limits),
            loops: workers.group.loops, handler: facade)
        admin = HTTPServer(
            configuration: configuration.admin.serverConfiguration(configuration.limits),
            loops: Array(workers.group.loops.prefix(1)),
            handler: AdminFacade(facade: facade, keys: keys, meter: meter, version: Version.current))
        self.configuration = Mutex(configuration)
        self.generatedKey = generatedKey
        self.log = log
        client = workers.client
        try await readKeys()
        try await listen(configuration)
    }

    /// Where the facade listens, with its real port.
    var url: String {
        let listen = configuration.withLock { $0.server.listen }
        return "http://\(ListenAddress(host: listen.host, port: server.port))"
    }

    /// Where the admin listener listens, with its real port.
    var adminURL: String {
        let listen = configuration.withLock { $0.admin }
        return "http://\(ListenAddress(host: listen.host, port: admin.port))"
    }

    /// Whether a key of the store is in force.
    var hasStoredKeys: Bool { facade.hasStoredKeys }

    /// How long things are kept, by the configuration in force.
    var retention: Retention { configuration.withLock { $0.retention } }

    /// Puts another configuration in force, for requests that begin from now on.
    ///
    /// - Returns: The keys whose change needs a restart, and is not in force.
    func replace(with new: Configuration) -> [String] {
        let old = configuration.withLock { $0 }
        let waiting = old.changesThatNeedARestart(to: new)
        configuration.withLock { $0 = old.taking(new) }
        serve(new)
        return waiting
    }

    /// Puts what requests see of a configuration in force, all at once.
    private func serve(_ configuration: Configuration) {
        let gateway = gateway.serving(
            configuration.directory(publicURL: configuration.publicURL ?? url, client: client))
        inForce.withLock { $0 = gateway }
        facade.replace(
            gateway: gateway,
            keys: configuration.apiKeys + (generatedKey.map { [$0] } ?? []),
            bodyLimit: configuration.limits.bodyBytes)
    }

    /// Sweeps the store, follows attempts up, reads deliveries, sends events and guards migrations, until the task is cancelled. Run it on a loop.
    ///
    /// - Parameter loop: The loop that asks processors: one of those that serve.
    func keepUp(askingOn loop: EventLoop) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [self] in await gateway.keepUp { self.retention } }
            group.addTask { [self] in await keepTellingHeads() }
            group.addTask { [self] in
                await facade.keepLookingForKeys {
                    log.event("store_trouble", level: .error, [("message", .text($0.words))])
                }
            }
            group.addTask { [self] in await keepComparingClocks() }
            group.addTask(executorPreference: loop) { [self] in
                await Gateway.keepFollowingUp { self.inForce.withLock { $0 } }
            }
            group.addTask(executorPreference: loop) { [self] in
                await Gateway.keepReadingDeliveries { self.inForce.withLock { $0 } }
            }
            group.addTask(executorPreference: loop) { [self] in
                await Gateway.keepSending { self.inForce.withLock { $0 } }
            }
            group.addTask(executorPreference: loop) { [self] in
                await Gateway.keepGuarding { self.inForce.withLock { $0 } }
            }
        }
    }

    /// Says from now on that it is not ready, and serves as before.
    func turnAway() { facade.beginDraining() }

    /// Waits for as long as the configuration says, so that balancers turn away before they find a closed port.
    func serveOn(timedBy loop: EventLoop) async {
        let delay = configuration.withLock { $0.server.drainDelay }
        if delay > .zero { try? await loop.sleep(for: delay) }
    }

    /// Serves nothing new, finishes what is under way, and closes the store.
    ///
    /// - Parameter upkeep: The upkeep, which was told to end.
    func end(after upkeep: Task<Void, Never>) async {
        let deadline = configuration.withLock { $0.provisioningDeadline }
        await server.drain(deadline: deadline + .seconds(10))
        await admin.stop()
        await gateway.finishDeliveries()
        await upkeep.value
        await tellHeads()
        await store.close()
    }

    /// Logs the end of every audit trail once a minute: who keeps the log can tell later that nothing was cut off.
    private func keepTellingHeads() async {
        guard let loop = EventLoop.current else { return }
        repeat { await tellHeads() } while (try? await loop.sleep(for: .seconds(60))) != nil
    }

    private func tellHeads() async {
        do throws(StoreFailure) {
            for head in try await store.auditHeads() {
                log.event("audit_head", [("program", .text(head.program)), ("head", .text(head.text))])
            }
            gateway.metrics.noteAuditHeads(at: SystemClock().now)
        } catch {
            log.event("store_trouble", level: .error, [("message", .text(error.words))])
        }
    }

    private func readKeys() async throws(Unavailable) {
        do throws(StoreFailure) { try await facade.lookForKeys() } catch {
            await store.close()
            throw Unavailable(description: "the store \(error.words)")
        }
    }

    private func listen(_ configuration: Configuration) async throws(Unavailable) {
        do throws(HTTPServerError) {
            try server.start()
            try admin.start()
        } catch {
            await server.stop()
            await store.close()
            throw Unavailable(description: "cannot listen: \(error.description)")
        }
        if configuration.publicURL == nil {
            serve(configuration)
        }
    }

    /// Tells where the store's clock and this machine's differ by so much that somebody should see to it, now and every
    /// minute until the task is cancelled.
    private func keepComparingClocks() async {
        guard let loop = EventLoop.current else { return }
        repeat {
            let milliseconds = store.clockOffset
            if abs(milliseconds) >= 1000 {
                log.event(
                    "clock_differs", level: .warning,
                    [
                        ("message", .text("this machine's clock is not the store's")),
                        ("ahead_ms", .number(Int(-milliseconds))),
                    ]
                )
            }
        } while (try? await loop.sleep(for: .seconds(60))) != nil
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        Hexadecimal.encode(SecretBytes(bytes)).revealText() ?? ""
    }
}
