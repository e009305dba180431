import Facade
import Gateway
import SecretMemory
import Storage

/// What the configuration file says, read and checked.
struct Configuration: Sendable {
    /// The base of every URL that names the gateway, without a slash at its end. Nil derives it from where it listens.
    var publicURL: String?
    /// Where the facade listens, and on how many threads.
    var server: Server
    /// Where metrics and the console listen.
    var admin: ListenAddress
    /// Where cards and attempts are kept.
    var store: StoreLocation
    /// The gateway's own secrets, the current one first. At least one.
    var rootSecrets: [SecretBytes]
    /// The connections by name, each with its adapter.
    var connections: [String: Connection]
    /// The programs by name.
    var programs: [String: Program]
    /// Who may call, in the order written.
    var apiKeys: [APIKey]
    /// How long a provisioning may take unless the caller lowers it.
    var provisioningDeadline: Duration
    /// What callers may ask for.
    var limits: Limits
    /// How long things are kept.
    var retention: Retention
    /// Whether outgoing webhooks may go to private addresses.
    var allowsPrivateDestinations: Bool

    /// Where the facade listens.
    struct Server: Sendable, Equatable {
        var listen: ListenAddress
        /// Nil takes one for each core.
        var workers: Int?
        /// How long it goes on as before once it was told to end, while `/readyz` says no and balancers turn away.
        var drainDelay = Duration.zero
        /// How many threads may be asked for.
        static let workerBounds = 1...256
    }

    /// Where cards and attempts are kept.
    enum StoreLocation: Sendable, Equatable {
        /// A SQLite file.
        case sqlite(path: String)
        /// A PostgreSQL database, by a URL that may hold a password.
        case postgreSQL(url: SecretText)
    }

    /// What callers may ask for.
    struct Limits: Sendable, Equatable {
        var bodyBytes = 262_144
        var headerBytes = 16_384
        var inFlightPerConnection = 256
        var provisioningsPerCardPerMinute = 10
    }
}
