extension PostgreSQLSchema {
    /// API keys that were made by a command.
    ///
    /// The tables are new: a program of the version before leaves them alone, and lets none of these keys in.
    static let version0008 = [
        """
        CREATE TABLE api_key (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            digest BYTEA NOT NULL UNIQUE,
            scopes TEXT NOT NULL,
            programs TEXT,
            created_at BIGINT NOT NULL,
            revoked_at BIGINT
        )
        """,
        """
        CREATE UNIQUE INDEX api_key_in_force ON api_key (name) WHERE revoked_at IS NULL
        """,
        """
        -- Another number whenever a key changes: a gateway asks for it every second. Whoever changes keys takes the row
        -- first.
        CREATE TABLE api_key_generation (
            one BIGINT PRIMARY KEY CHECK (one = 1),
            generation BIGINT NOT NULL
        )
        """,
        """
        INSERT INTO api_key_generation VALUES (1, 0)
        """,
        """
        -- What waits and what was given up is counted, for each destination.
        CREATE INDEX delivery_by_status ON delivery (status) WHERE status <> 'delivered'
        """,
    ]
}
