extension PostgreSQLSchema {
    /// Cards, attempts, spent handshakes, idempotency and the audit trail.
    ///
    /// Numbers are the order of creation; what expires is dropped from the lowest number on. Times are milliseconds.
    static let version0001 = [
        """
        CREATE TABLE card (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            program TEXT NOT NULL,
            id TEXT NOT NULL,
            cardholder_id TEXT NOT NULL,
            cardholder_name TEXT NOT NULL,
            title TEXT,
            art_url TEXT,
            metadata TEXT,
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            UNIQUE (program, id)
        )
        """,
        """
        CREATE INDEX card_by_program ON card (program, number)
        """,
        """
        CREATE INDEX card_by_cardholder ON card (program, cardholder_id, number)
        """,
        """
        CREATE TABLE binding (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            card BIGINT NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            connection TEXT NOT NULL,
            provider_card_id TEXT NOT NULL,
            provider_cardholder_id TEXT,
            last4 TEXT NOT NULL,
            network TEXT NOT NULL,
            product_id TEXT,
            state TEXT NOT NULL CHECK (state IN ('active', 'standby', 'retired')),
            UNIQUE (card, connection)
        )
        """,
        """
        CREATE UNIQUE INDEX binding_active ON binding (card) WHERE state = 'active'
        """,
        """
        -- Every id that a processor's card has or had: one owner over all programs.
        CREATE TABLE provider_card (
            connection TEXT NOT NULL,
            provider_card_id TEXT NOT NULL,
            card BIGINT NOT NULL REFERENCES card (number) ON DELETE CASCADE,
            replaced_at BIGINT,
            PRIMARY KEY (connection, provider_card_id)
        )
        """,
        """
        CREATE INDEX provider_card_by_card ON provider_card (card, connection)
        """,
        """
        CREATE TABLE provisioning (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
            created_at BIGINT NOT NULL,
            updated_at BIGINT NOT NULL,
            deadline_at BIGINT NOT NULL,
            sent_at BIGINT,
            expires_at BIGINT,
            failure BYTEA,
            attempts BIGINT NOT NULL,
            notes BYTEA NOT NULL,
            timeline BYTEA NOT NULL,
            handoff_bytes BIGINT,
            handoff_digest BYTEA,
            instance TEXT NOT NULL
        )
        """,
        """
        CREATE INDEX provisioning_by_program ON provisioning (program, number)
        """,
        """
        CREATE INDEX provisioning_by_card ON provisioning (program, card, number)
        """,
        """
        CREATE INDEX provisioning_sending ON provisioning (deadline_at) WHERE status = 'sending'
        """,
        """
        CREATE TABLE spent_handshake (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            program TEXT NOT NULL,
            digest BYTEA NOT NULL,
            provisioning TEXT NOT NULL,
            expires_at BIGINT NOT NULL,
            UNIQUE (program, digest)
        )
        """,
        """
        CREATE TABLE idempotency (
            number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            program TEXT NOT NULL,
            route TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint BYTEA NOT NULL,
            provisioning TEXT,
            first_used_at BIGINT NOT NULL,
            deadline_at BIGINT,
            ending BYTEA,
            UNIQUE (program, route, key)
        )
        """,
        """
        CREATE TABLE audit (
            program TEXT NOT NULL,
            sequence BIGINT NOT NULL,
            at BIGINT NOT NULL,
            actor TEXT NOT NULL,
            action TEXT NOT NULL,
            subject TEXT NOT NULL,
            before BYTEA NOT NULL,
            after BYTEA NOT NULL,
            digest BYTEA NOT NULL,
            PRIMARY KEY (program, sequence)
        )
        """,
        """
        CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN RAISE EXCEPTION 'the audit trail is append-only'; END $$
        """,
        """
        CREATE TRIGGER audit_keeps_entries BEFORE UPDATE OR DELETE ON audit
            FOR EACH ROW EXECUTE FUNCTION audit_is_kept()
        """,
        """
        CREATE TRIGGER audit_loses_nothing BEFORE TRUNCATE ON audit
            FOR EACH STATEMENT EXECUTE FUNCTION audit_is_kept()
        """,
        """
        CREATE TABLE health (one BIGINT PRIMARY KEY CHECK (one = 1), checks BIGINT NOT NULL)
        """,
        """
        INSERT INTO health VALUES (1, 0)
        """,
    ]
}
