extension Schema {
    /// API keys that were made by a command.
    ///
    /// The tables are new: a program of the version before leaves them alone, and lets none of these keys in.
    static let schema0008 = """
        CREATE TABLE api_key (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            digest BLOB NOT NULL UNIQUE,
            scopes TEXT NOT NULL,
            programs TEXT,
            created_at INTEGER NOT NULL,
            revoked_at INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX api_key_in_force ON api_key (name) WHERE revoked_at IS NULL;

        -- Another number whenever a key changes: a gateway asks for it every second.
        CREATE TABLE api_key_generation (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            generation INTEGER NOT NULL
        ) STRICT;
        INSERT INTO api_key_generation VALUES (1, 0);
        CREATE TRIGGER api_key_is_added AFTER INSERT ON api_key
            BEGIN UPDATE api_key_generation SET generation = generation + 1; END;
        CREATE TRIGGER api_key_is_changed AFTER UPDATE ON api_key
            BEGIN UPDATE api_key_generation SET generation = generation + 1; END;
        CREATE TRIGGER api_key_is_dropped AFTER DELETE ON api_key
            BEGIN UPDATE api_key_generation SET generation = generation + 1; END;
        """
}
