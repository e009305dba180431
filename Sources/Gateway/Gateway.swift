public import Crypto
public import ProviderKit
import Provisioning
public import Storage

/// The use cases of the gateway, behind every facade, with one configuration in force.
///
/// A reload makes another gateway with ``serving(_:)``; requests under way finish with the one that they began with.
/// It owns no socket and no thread. Each call runs where its caller runs: on the loop that the request arrived on.
public final class Gateway: Sendable {
    let store: any Store
    let keys: KeyRing
    let clock: any WallClock
    let random: @Sendable (Int) -> [UInt8]
    /// This process among those that share the store.
    let instance: String
    let traffic: Traffic
    /// What operators watch.
    public let metrics: Metrics
    /// Tells the operator what no caller can be told.
    let report: @Sendable (StoreTrouble) -> Void
    /// Tells the operator that a guard stopped a migration.
    let announce: @Sendable (GuardStop) -> Void
    /// The programs and connections in force.
    public let directory: Directory

    /// Makes a gateway of its parts.
    ///
    /// - Parameters:
    ///   - directory: The programs and connections in force.
    ///   - keys: Seals plans and digests handshakes.
    ///   - random: Gives that many random bytes.
    ///   - instance: A name of this process that no other instance has.
    ///   - metrics: Counts attempts and upstream calls.
    ///   - report: Is told of each attempt whose end could not be written.
    ///   - announce: Is told of each migration that its guard stopped.
    public convenience init(
        directory: Directory, store: any Store, keys: KeyRing, clock: any WallClock,
        random: @escaping @Sendable (Int) -> [UInt8], instance: String, metrics: Metrics = Metrics(),
        report: @escaping @Sendable (StoreTrouble) -> Void, announce: @escaping @Sendable (GuardStop) -> Void = { _ in }
    ) {
        self.init(
            directory, store: store, keys: keys, clock: clock, random: random, instance: instance, metrics: metrics,
            report: report, announce: announce, traffic: Traffic())
    }

    private init(
        _ directory: Directory, store: any Store, keys: KeyRing, clock: any WallClock,
        random: @escaping @Sendable (Int) -> [UInt8], instance: String, metrics: Metrics,
        report: @escaping @Sendable (StoreTrouble) -> Void, announce: @escaping @Sendable (GuardStop) -> Void,
        traffic: Traffic
    ) {
        self.directory = directory
        self.store = store
        self.keys = keys
        self.clock = clock
        self.random = random
        self.instance = instance
        self.metrics = metrics
        self.report = report
        self.announce = announce
        self.traffic = traffic
    }

    /// This gateway with other programs and connections in force. Store, keys, counts and limits are the same.
    public func serving(_ directory: Directory) -> Gateway {
        Gateway(
            directory, store: store, keys: keys, clock: clock, random: random, instance: instance, metrics: metrics,
            report: report, announce: announce, traffic: traffic)
    }

    /// What every provider of the catalogue offers: a row for each wallet and channel.
    public func capabilities() -> [Capability] {
        directory.providers.flatMap { provider in
            let descriptor = provider.descriptor
            return Wallet.allCases.flatMap { wallet in
                WalletChannel.allCases.map { channel in
                    let support = descriptor.support(for: wallet, on: channel)
                    return Capability(
                        provider: descriptor.id, wallet: wallet, channel: channel, handoff: support?.handoff,
                        operations: support == nil ? [] : operations(of: provider))
                }
            }
        }
    }

    /// The operations that a provider's conformances say it has.
    private func operations(of provider: any ProvisioningProvider.Type) -> [String] {
        var operations = ["provision", "eligibility"]
        if provider is any WalletCredentials.Type { operations.append("wallet_credentials") }
        if provider is any OutcomeProbe.Type { operations.append("outcome_probe") }
        if provider is any TokenDirectory.Type { operations.append("tokens") }
        if provider is any TokenLifecycle.Type { operations.append("token_lifecycle") }
        if provider is any WebhookSource.Type { operations.append("webhooks") }
        return operations
    }

    /// Whether requests can be served.
    ///
    /// - Throws: `overloaded` where the store cannot be written.
    public func checkReadiness() async throws(Problem) {
        do throws(StoreFailure) { try await store.checkHealth() } catch { throw Problem(store: error) }
    }

    /// Returns once every answer that was being written is settled in the store. Call it after the server has stopped.
    public func finishDeliveries() async { await traffic.deliveries.settled { _ in true } }

    /// A new id: the prefix, the time and 85 random bits.
    func makeID(_ prefix: String) -> String {
        IDDigits.id(prefix, at: clock.now, random: random(IDDigits.randomBytes))
    }
}
