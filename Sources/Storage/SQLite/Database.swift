import SQLite

/// One connection with the tables on it. It belongs to the thread that uses it.
struct Database {
    let connection: Connection
    let chain: AuditChain

    var cards: CardTable { CardTable(connection: connection) }
    var bindings: BindingTable { BindingTable(connection: connection) }
    var provisionings: ProvisioningTable { ProvisioningTable(connection: connection) }
    var handshakes: HandshakeTable { HandshakeTable(connection: connection) }
    var idempotency: IdempotencyTable { IdempotencyTable(connection: connection) }
    var tokens: TokenTable { TokenTable(connection: connection) }
    var inbound: InboundTable { InboundTable(connection: connection) }
    var events: EventTable { EventTable(connection: connection) }
    var destinations: DestinationTable { DestinationTable(connection: connection) }
    var deliveries: DeliveryTable { DeliveryTable(connection: connection) }
    var migrations: MigrationTable { MigrationTable(connection: connection) }
    var imports: CardImportTable { CardImportTable(connection: connection) }
    var observations: ObservationTable { ObservationTable(connection: connection) }
    var guards: GuardTable { GuardTable(connection: connection) }
    var shadows: ShadowTable { ShadowTable(connection: connection) }
    var leftAlone: LeftAloneTable { LeftAloneTable(connection: connection) }
    var apiKeys: APIKeyTable { APIKeyTable(connection: connection) }
    var audit: AuditTable { AuditTable(connection: connection, chain: chain) }

    /// The tables on a connection that is open already.
    init(connection: Connection, chain: AuditChain) {
        self.connection = connection
        self.chain = chain
    }

    /// Opens the file for the writer, and creates it or brings its schema to the newest version.
    init(creating path: String, chain: AuditChain) throws {
        connection = try Connection(path: path, mode: .createPrivate)
        self.chain = chain
        try Schema.prepare(connection)
        try connection.execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA foreign_keys = ON;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -8192;
            PRAGMA journal_size_limit = 67108864;
            """)
    }

    /// Writes and syncs a row of its own: whether the file can be written is known then, and a new log has its beginning,
    /// which SQLite syncs apart. The next change waits for one sync alone.
    func touch() throws {
        try connection.run("UPDATE health SET checks = checks + 1 WHERE one = 1")
    }

    /// Opens the file for a reader.
    init(reading path: String, chain: AuditChain) throws {
        connection = try Connection(path: path, mode: .readOnly)
        self.chain = chain
        try connection.execute("PRAGMA cache_size = -1024; PRAGMA temp_store = MEMORY;")
    }
}
