extension Schema {
    /// Cards, attempts, spent handshakes, idempotency and the audit trail.
    ///
    /// Numbers are the order of creation; what expires is dropped from the lowest number on. Times are milliseconds.
    static let schema0001 = """
        CREATE TABLE card (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            program TEXT NOT NULL,
            id TEXT NOT NULL,
            cardholder_id TEXT NOT NULL,
            cardholder_name TEXT NOT NULL,
            title TEXT,
            art_url TEXT,
            metadata TEXT,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            UNIQUE (program, id)
        ) STRICT;
        CREATE INDEX card_by_program ON card (program);
        CREATE INDEX card_by_cardholder ON card (program, cardholder_id);

        CREATE TABLE binding (
            number INTEGER PRIMARY KEY,
            card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            connection TEXT NOT NULL,
            provider_card_id TEXT NOT NULL,
            provider_cardholder_id TEXT,
            last4 TEXT NOT NULL,
            network TEXT NOT NULL,
            product_id TEXT,
            state TEXT NOT NULL CHECK (state IN ('active', 'standby', 'retired')),
            UNIQUE (card, connection)
        ) STRICT;
        CREATE UNIQUE INDEX binding_active ON binding (card) WHERE state = 'active';

        -- Every id that a processor's card has or had: one owner over all programs.
        CREATE TABLE provider_card (
            connection TEXT NOT NULL,
            provider_card_id TEXT NOT NULL,
            card INTEGER NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            replaced_at INTEGER,
            PRIMARY KEY (connection, provider_card_id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX provider_card_by_card ON provider_card (card, connection);

        CREATE TABLE provisioning (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            program TEXT NOT NULL,
            card TEXT NOT NULL,
            provider TEXT NOT NULL,
            connection TEXT NOT NULL,
            provider_card_id TEXT NOT NULL,
            wallet TEXT NOT NULL,
            channel TEXT NOT NULL,
            origin TEXT NOT NULL,
            handoff TEXT NOT NULL,
            status TEXT NOT NULL,
            created_at INTEGER NOT NULL,
            updated_at INTEGER NOT NULL,
            deadline_at INTEGER NOT NULL,
            sent_at INTEGER,
            expires_at INTEGER,
            failure BLOB,
            attempts INTEGER NOT NULL,
            notes BLOB NOT NULL,
            timeline BLOB NOT NULL,
            handoff_bytes INTEGER,
            handoff_digest BLOB,
            instance TEXT NOT NULL
        ) STRICT;
        CREATE INDEX provisioning_by_program ON provisioning (program);
        CREATE INDEX provisioning_by_card ON provisioning (program, card);
        CREATE INDEX provisioning_sending ON provisioning (deadline_at) WHERE status = 'sending';

        CREATE TABLE spent_handshake (
            number INTEGER PRIMARY KEY,
            program TEXT NOT NULL,
            digest BLOB NOT NULL,
            provisioning TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            UNIQUE (program, digest)
        ) STRICT;

        CREATE TABLE idempotency (
            number INTEGER PRIMARY KEY,
            program TEXT NOT NULL,
            route TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            provisioning TEXT,
            first_used_at INTEGER NOT NULL,
            deadline_at INTEGER,
            ending BLOB,
            UNIQUE (program, route, key)
        ) STRICT;

        CREATE TABLE audit (
            program TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            at INTEGER NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            before BLOB NOT NULL,
            after BLOB NOT NULL,
            digest BLOB NOT NULL,
            PRIMARY KEY (program, sequence)
        ) STRICT, WITHOUT ROWID;
        CREATE TRIGGER audit_keeps_entries BEFORE UPDATE ON audit
            BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
        CREATE TRIGGER audit_loses_nothing BEFORE DELETE ON audit
            BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;

        CREATE TABLE health (one INTEGER PRIMARY KEY CHECK (one = 1), checks INTEGER NOT NULL) STRICT;
        INSERT INTO health VALUES (1, 0);
        """
}
