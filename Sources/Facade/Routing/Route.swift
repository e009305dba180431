import Provisioning
import Storage

/// One method of one resource.
struct Route: Sendable {
    /// What is done.
    enum Operation: Sendable, Equatable {
        case listCards, putCard, readCard, eraseCard, importCards, putBinding
        case provision, listProvisionings, readProvisioning, reportOutcome, readTimeline
        case cardWallets, cardholderWallets, walletButton, walletCredential
        case listTokens, readToken
        case changeToken(TokenChange)
        case listEvents, readEvent
        case takeDelivery
        case addDestination, listDestinations, readDestination, removeDestination, rotateSecret, replayEvents
        case openMigration, listMigrations, readMigration, advanceMigration
        case stepMigration(MigrationStep.Action)
        case migrationReport
        case capabilities
        case liveness, readiness, problemPage, description, reference
        case readOverview, listConnections
    }

    /// Who may ask.
    enum Access: Sendable, Equatable {
        /// Anyone.
        case open
        /// Any key, of whatever program.
        case key
        /// A key with that scope, within a program.
        case scope(Scope)
    }

    /// What a body must be.
    enum Media: String, Sendable {
        /// One JSON object.
        case json = "application/json"
        /// JSON objects, one a line.
        case lines = "application/x-ndjson"
    }

    /// What the first parameter of the path is.
    enum Parameter: Sendable {
        case none, card, cardholder, provisioning, token, event, destination, migration, connection, problemCode
    }

    /// The method.
    let method: String
    /// The path with its parameter in braces. This is what logs and metrics tell.
    let template: String
    /// What is done.
    let operation: Operation
    /// Who may ask.
    let access: Access
    /// What the parameter is.
    let parameter: Parameter
    /// The body that comes with it; nil where none does.
    let body: Media?

    init(
        _ method: String, _ template: String, _ operation: Operation, _ access: Access, _ parameter: Parameter = .none,
        body: Media? = nil
    ) {
        self.method = method
        self.template = template
        self.operation = operation
        self.access = access
        self.parameter = parameter
        self.body = body
    }
}
