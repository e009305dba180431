public import ProviderKit
public import Provisioning

/// The programs and connections of the configuration in force. A reload replaces the whole value.
public struct Directory: Sendable {
    /// The connections by name.
    public var connections: [String: Connection]
    /// The programs by name.
    public var programs: [String: Program]
    /// Every provider of the catalogue, configured or not, for the capabilities.
    public var providers: [any ProvisioningProvider.Type]
    /// The base of every URL that names the gateway, such as `https://passgate.example`.
    public var publicURL: String
    /// How long a provisioning may take unless the caller lowers it.
    public var provisioningDeadline: Duration
    /// How many attempts a card may have in a minute.
    public var provisioningsPerCardPerMinute: Int
    /// How events leave.
    public var courier: EventCourier

    /// Makes a directory of its members.
    public init(
        connections: [String: Connection], programs: [String: Program], providers: [any ProvisioningProvider.Type],
        publicURL: String,
        provisioningDeadline: Duration = .seconds(15), provisioningsPerCardPerMinute: Int = 10,
        courier: EventCourier = .none
    ) {
        self.connections = connections
        self.programs = programs
        self.providers = providers
        self.publicURL = publicURL
        self.provisioningDeadline = provisioningDeadline
        self.provisioningsPerCardPerMinute = provisioningsPerCardPerMinute
        self.courier = courier
    }
}

/// One set of credentials at one provider, ready to use.
public struct Connection: Sendable {
    /// Its name in the configuration.
    public var name: String
    /// Whether its credentials are for real cards.
    public var environment: ConnectionSettings.Environment
    /// What the provider can do.
    public var descriptor: ProviderDescriptor
    /// The adapter.
    public var provider: any ProvisioningProvider
    /// How many calls may be under way at once.
    public var inFlight: Int
    /// How many calls a second it may make; nil for no limit of ours.
    public var ratePerSecond: Double?
    /// What is known of the processor's clock.
    public var remoteClock: RemoteClock
    /// When the first of its certificates ends, ours and the authorities' it trusts; nil where it has none of its own.
    public var certificatesEndAt: Timestamp?

    /// Makes a connection of its members.
    public init(
        name: String, environment: ConnectionSettings.Environment, descriptor: ProviderDescriptor,
        provider: any ProvisioningProvider, inFlight: Int = 256, ratePerSecond: Double? = nil,
        remoteClock: RemoteClock = RemoteClock(), certificatesEndAt: Timestamp? = nil
    ) {
        self.name = name
        self.environment = environment
        self.descriptor = descriptor
        self.provider = provider
        self.inFlight = inFlight
        self.ratePerSecond = ratePerSecond
        self.remoteClock = remoteClock
        self.certificatesEndAt = certificatesEndAt
    }
}

extension Connection {
    /// How the connection serves a wallet; empty where its provider does not, or its settings turn it off.
    func support(for wallet: Wallet) -> [WalletSupport] { provider.offers.filter { $0.wallet == wallet } }

    /// Whether its provider has credentials for the purpose.
    func hasCredential(for purpose: WalletCredentialPurpose) -> Bool {
        (type(of: provider) as? any WalletCredentials.Type)?.credentialPurposes.contains(purpose) ?? false
    }
}

/// A card program of the platform.
public struct Program: Sendable, Equatable {
    /// Its name in the configuration.
    public var name: String
    /// The connection for new cards.
    public var connection: String
    /// The connections that its cards may be bound to.
    public var connections: [String]
    /// The program's name for people.
    public var displayName: String
    /// The wallets that it offers.
    public var wallets: [Wallet]
    /// Whether a provisioning must name the cardholder.
    public var requiresCardholder: Bool
    /// How old the cardholder's authentication may be, in seconds; nil where none is asked for.
    public var maxAuthenticationAge: Int?

    /// Makes a program of its members.
    public init(
        name: String, connection: String, connections: [String], displayName: String, wallets: [Wallet],
        requiresCardholder: Bool = true, maxAuthenticationAge: Int? = 300
    ) {
        self.name = name
        self.connection = connection
        self.connections = connections
        self.displayName = displayName
        self.wallets = wallets
        self.requiresCardholder = requiresCardholder
        self.maxAuthenticationAge = maxAuthenticationAge
    }
}
